import { Problem } from '../../problem.js'
import { insideRoot } from '../../project/paths.js'
import { anyFlowFile } from './flow/paths.js'
import { readSettings, usualStateFile, usualStateFileOf } from './places.js'

/** Where the state file is: as the session was begun, else as a flow file says. Never outside of the project. */
export async function statePathOf(root: string): Promise<string> {
  const settings = await readSettings(root)
  const path = settings.statePath ?? (await pathOfFlows(root, settings.flowFile))
  if (insideRoot(root, path)) return path
  throw new Problem({
    code: 'outside',
    what: `The state file ${path} would lie outside of this project.`,
    why: 'A link leads there, and what is written through it would be in no commit and no backup. Nothing was changed.',
    todo: 'Replace the link by a folder, or name another statePath in the flow file.',
  })
}

/** The reader of flow files is loaded only where there is one. */
async function pathOfFlows(root: string, flowFile: string | undefined): Promise<string> {
  if (!(await anyFlowFile(root, flowFile))) return usualStateFileOf(root)
  const { readFlows } = await import('./flow/flow.js')
  const { statePath } = (await readFlows(root, flowFile)).flows
  return statePath === usualStateFile ? usualStateFileOf(root) : statePath
}
