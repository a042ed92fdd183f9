import { ensureIgnored } from '../../../project/gitignore.js'
import { readText } from '../../../project/text-files.js'
import { commitChanges } from '../../commits/checkpoint-commit.js'
import type { PlaybookState } from '../state/schema.js'
import { keptChanges, withKeptChanges } from '../steps/own-changes.js'
import type { PlaybookTools } from '../tools.js'
import type { PlaybookWork } from '../work.js'

// Our line in the ignore file of the project (docs/playbook.md, "What is uncommitted"). The file is the person's: only
// the line is ours, and it does not lie there uncommitted when the run is over.

const ignoreFile = '.gitignore'
const directory = '.autopilot'

/**
 * Keeps the files of the run out of git, and commits the line that does, where nothing else of the file is uncommitted.
 * What is handed back keeps a file that the person left uncommitted as it is with the line.
 */
export async function ignoreOwnFiles(work: PlaybookWork): Promise<(state: PlaybookState) => PlaybookState> {
  const { run, tools } = work
  await run.step('own-files', () => ensureIgnored(tools.root, '.', directory))
  if (await run.step('own-line', () => isOnlyOurLine(tools))) {
    await commitChanges(run, tools, {
      key: 'own-line-commit',
      message: `chore: keep ${directory}/ out of git`,
      baseline: async () => ({ dirty: [], decided: {} }),
      decide: async () => undefined,
      leaveOut: [],
      takes: (path) => path === ignoreFile,
    })
    return (state) => state
  }
  const hash = await run.step('own-line-hash', () => tools.git.contentHash(ignoreFile))
  return (state) =>
    withKeptChanges(
      state,
      keptChanges(state).map((one) => (one.path === ignoreFile ? { ...one, hash } : one)),
    )
}

/** Whether the ignore file is uncommitted for nothing but our line. */
export async function isOnlyOurLine({ root, git }: Pick<PlaybookTools, 'root' | 'git'>): Promise<boolean> {
  if (!(await git.dirty()).some(({ path }) => path === ignoreFile)) return false
  const head = await git.head()
  const before = head === null ? '' : withoutReturns((await git.textAt(head, ignoreFile)) ?? '')
  const now = withoutReturns((await readText({ root }, ignoreFile)) ?? '')
  return now.startsWith(before) && now.slice(before.length).trim() === `${directory}/`
}

const withoutReturns = (text: string) => text.replaceAll('\r\n', '\n')
