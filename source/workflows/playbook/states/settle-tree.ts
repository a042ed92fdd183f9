import type { DirtyPath } from '../../../project/git.js'
import { commitChanges } from '../../commits/checkpoint-commit.js'
import { qTree } from '../questions/tree.js'
import { keptChanges, withKeptChanges } from '../steps/own-changes.js'
import type { PlaybookWork } from '../work.js'
import { save } from '../work.js'

// What is uncommitted before work begins.

/** Files of the runner itself, which are no change of the project. */
export const isOwnFile = (path: string) =>
  path.startsWith('.planning/') || path.startsWith('.autopilot/') || path === '.gitignore'

/**
 * True once everything that is uncommitted is settled: committed, or the person's own and left alone.
 */
export async function settleTree(work: PlaybookWork, key: string): Promise<boolean> {
  const open = await work.run.step(`${key}-dirty`, () => unsettled(work, keptChanges(work.run.state)))
  if (open.length === 0) return true
  const choice = await askTree(work, key, open)
  if (choice === 'continue')
    await save(work, `${key}-kept`, (state) => withKeptChanges(state, [...keptChanges(state), ...open]))
  return true
}

/** The same before there is a state to keep the answer in: what was let lie comes back. */
export async function settleTreeFirst(work: PlaybookWork, key: string): Promise<DirtyPath[]> {
  const open = await work.run.step(`${key}-dirty`, () => unsettled(work, []))
  if (open.length === 0) return []
  return (await askTree(work, key, open)) === 'continue' ? [...open] : []
}

async function askTree(work: PlaybookWork, key: string, open: readonly DirtyPath[]): Promise<string> {
  const { run, tools } = work
  const answer = await run.ask(`${key}-ask`, qTree(open.map(({ path }) => path)))
  if (answer.value !== 'commit') return answer.value
  await commitChanges(run, tools, {
    key: `${key}-commit`,
    message: 'chore: work in progress before the run',
    baseline: async () => ({ dirty: [], decided: {} }),
    decide: async () => undefined,
    leaveOut: [],
    takes: (path) => !isOwnFile(path),
  })
  return answer.value
}

async function unsettled({ tools }: PlaybookWork, known: readonly DirtyPath[]): Promise<DirtyPath[]> {
  const kept = new Map(known.map(({ path, hash }) => [path, hash]))
  const dirty = await tools.git.dirty()
  return dirty.filter(({ path, hash }) => !isOwnFile(path) && kept.get(path) !== hash)
}
