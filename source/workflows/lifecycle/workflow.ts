import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readLifecycleState } from '../../documents/lifecycle-state.js'
import { Problem } from '../../problem.js'
import { insideRoot } from '../../project/paths.js'
import { budgetsWith } from '../dispatch/run-budgets.js'
import type { SessionTools } from '../tools.js'
import { anyWorkflow, type Candidate, type Input, type Recognition, type Workflow } from '../workflow.js'
import { describe } from './describe.js'
import { docsDir, readFlows } from './flow/flow.js'
import { stateInspector, tasksInspector } from './inspectors.js'
import { lifecycleMachine } from './machine.js'
import { personas } from './personas/personas.js'
import { archiveDir, flowFlag, placeOf, readSettings } from './places.js'
import { decisionLog } from './state/raises.js'
import { type LifecycleState, lifecycleCodec, recordOf, takesEdit } from './state/state.js'

/** The life of a project, in `_docs/` (docs/lifecycle.md). */
export const lifecycleWorkflow: Workflow<LifecycleState> = {
  name: 'lifecycle',
  personas,
  recognise: async (input) => recognise(input),
  candidates,
  place: () => placeOf(),
  locate: async (root) => placeOf(await statePathOf(root)),
  codec: () => lifecycleCodec,
  adoption: (text) => ({ lines: adoptionLines(text) }),
  takesEdit,
  describe,
  // The last state asks what comes next, and there is always a next time.
  isDone: () => false,
  reopens: true,
  doneReport: (state) => [`${recordOf(state).completed.length} steps are on record.`],
  budgets: budgetsWith(decisionLog),
  archiveDir,
  inspectors: [stateInspector, tasksInspector],
  checks: async () => [],
  machine: async (session) => lifecycleMachine(await openLifecycleTools(session)),
}

/** The same for whoever knows no state. */
export const lifecycle = anyWorkflow(lifecycleWorkflow)

const isState = (text: string) => /^\uFEFF?\s{0,200}# Autopilot State\s*$/m.test(text.slice(0, 4000))

function recognise({ path, kind, text }: Input): Recognition | undefined {
  const bare = path.replace(/\/$/, '')
  const meaning = 'go on with the steps of this project'
  if (bare === docsDir) {
    if (kind === 'file') throw docsIsFile()
    return {
      subject: docsDir,
      certainty: 'sure',
      meaning: kind === 'missing' ? 'begin the life of a project here' : meaning,
    }
  }
  if (kind !== 'file' || !bare.endsWith('.md')) return undefined
  const isUsual = bare === `${docsDir}/_autopilot_state.md`
  return isUsual || isState(text ?? '') ? { subject: docsDir, certainty: 'sure', meaning } : undefined
}

function docsIsFile(): Problem {
  return new Problem({
    code: 'usage',
    what: `${docsDir} is a file.`,
    why: 'The state of a project and its documents are kept in a folder of that name. Nothing was changed.',
    todo: 'Move the file out of the way, and start autopilot again.',
  })
}

async function candidates(root: string): Promise<Candidate[]> {
  const docs = await stat(join(root, docsDir)).catch(() => undefined)
  if (!docs?.isDirectory()) return []
  const hasState = await access(join(root, await statePathOf(root))).then(
    () => true,
    () => false,
  )
  const detail = hasState ? 'a state file is there' : 'no state file yet; its folders say where it stands'
  return [
    {
      workflow: 'lifecycle',
      subject: docsDir,
      title: 'Project lifecycle',
      size: hasState ? 'under way' : 'new',
      detail,
    },
  ]
}

/** Where the state file is: as the session was begun, else as a flow file says. Never outside of the project. */
async function statePathOf(root: string): Promise<string> {
  const settings = await readSettings(root)
  const path = settings.statePath ?? (await readFlows(root, settings.flowFile)).flows.statePath
  if (insideRoot(root, path)) return path
  throw new Problem({
    code: 'outside',
    what: `The state file ${path} would lie outside of this project.`,
    why: 'A link leads there, and what is written through it would be in no commit and no backup. Nothing was changed.',
    todo: 'Replace the link by a folder, or name another statePath in the flow file.',
  })
}

/** What taking over a state file of another hand means: where it stands, and what is not right in it. */
function adoptionLines(text: string): string[] {
  const { current, completed, warnings } = readLifecycleState(text)
  return [
    `Flow ${current.flow || 'unknown'}, step ${current.step ?? 'unknown'} ${current.name}, ${current.status || 'no status'}; ${completed.length} completed steps.`,
    'It stays byte for byte as it is; from now on the program writes it.',
    ...warnings.slice(0, 20),
  ]
}

async function openLifecycleTools(session: SessionTools) {
  const { root, flags } = session
  const flowFile = flowFlag(root, flags) ?? (await readSettings(root)).flowFile
  const { flows, broken } = await readFlows(root, flowFile)
  return { ...session, flows, broken, flowFile }
}
