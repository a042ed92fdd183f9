import type { DirtyPath } from '../../../project/git.js'
import { commitChanges } from '../../commits/checkpoint-commit.js'
import { isOfEditor } from '../../evidence/products.js'
import { qTree } from '../questions/tree.js'
import type { PlaybookState } from '../state/schema.js'
import { keptChanges, withKeptChanges } from '../steps/own-changes.js'
import { type PutAside, putAsideOnce, withPutAside } from '../steps/put-aside.js'
import type { PlaybookWork } from '../work.js'
import { save } from '../work.js'
import { isOnlyOurLine } from './ignore-own.js'

// What is uncommitted before work begins.

/** Files of the runner itself, and of editors and systems, which are no change of the project. */
export const isOwnFile = (path: string) =>
  path.startsWith('.planning/') || path.startsWith('.autopilot/') || isOfEditor(path)

/**
 * True once everything that is uncommitted is settled: committed, or the person's own and left alone.
 */
export async function settleTree(work: PlaybookWork, key: string): Promise<boolean> {
  const open = await work.run.step(`${key}-dirty`, () => unsettled(work, keptChanges(work.run.state)))
  if (open.length === 0) return true
  const { choice, aside } = await askTree(work, key, open)
  if (choice === 'continue')
    await save(work, `${key}-kept`, (state) => withKeptChanges(state, [...keptChanges(state), ...open]))
  if (aside !== null) await save(work, `${key}-aside-kept`, (state) => withPutAside(state, aside))
  return true
}

/** The same before there is a state to keep the answer in: what is to be kept in it once there is one. */
export async function settleTreeFirst(
  work: PlaybookWork,
  key: string,
): Promise<(state: PlaybookState) => PlaybookState> {
  const open = await work.run.step(`${key}-dirty`, () => unsettled(work, []))
  if (open.length === 0) return (state) => state
  const { choice, aside } = await askTree(work, key, open)
  if (aside !== null) return (state) => withPutAside(state, aside)
  return (state) => (choice === 'continue' ? withKeptChanges(state, [...open]) : state)
}

interface TreeAnswer {
  choice: string
  aside: PutAside | null
}

async function askTree(work: PlaybookWork, key: string, open: readonly DirtyPath[]): Promise<TreeAnswer> {
  const { run, tools } = work
  const paths = open.map(({ path }) => path)
  const { value: choice } = await run.ask(`${key}-ask`, qTree(paths))
  if (choice === 'aside') {
    const aside = await putAsideOnce(work, tools.git, `${key}-aside`, paths)
    if (aside !== null)
      await run.note(`${key}-aside-says`, `Put aside under ${aside.ref}: ${paths.join(', ')}.`)
    return { choice, aside }
  }
  if (choice !== 'commit') return { choice, aside: null }
  await commitChanges(run, tools, {
    key: `${key}-commit`,
    message: 'chore: work in progress before the run',
    baseline: async () => ({ dirty: [], decided: {} }),
    decide: async () => undefined,
    leaveOut: [],
    takes: (path) => !isOwnFile(path),
  })
  return { choice, aside: null }
}

async function unsettled({ tools }: PlaybookWork, known: readonly DirtyPath[]): Promise<DirtyPath[]> {
  const kept = new Map(known.map(({ path, hash }) => [path, hash]))
  const dirty = await tools.git.dirty()
  const open = dirty.filter(({ path, hash }) => !isOwnFile(path) && kept.get(path) !== hash)
  return (await isOnlyOurLine(tools)) ? open.filter(({ path }) => path !== '.gitignore') : open
}
