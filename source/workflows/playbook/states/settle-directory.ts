import { directoriesOf } from '../phase-directories.js'
import { qDirectory } from '../questions/directory.js'
import { phaseOf, withPhase } from '../state/phases.js'
import { type PlaybookWork, save } from '../work.js'

/** Where several directories can be that of a phase, a person says which one; the record of the phase keeps it. */
export async function settleDirectory(work: PlaybookWork, id: string): Promise<void> {
  const { run, tools } = work
  const dirs = await run.step('directories', async () => {
    const found = await directoriesOf(tools.root, id, [...tools.outline.keys()])
    const { directory } = phaseOf(run.state, id)
    return typeof directory === 'string' && found.includes(directory) ? [directory] : found
  })
  if (dirs.length < 2) return
  const { value } = await run.ask('directory', qDirectory(id, dirs))
  await save(work, 'directory-kept', (state) =>
    withPhase(state, id, (record) => ({ ...record, directory: value })),
  )
}
