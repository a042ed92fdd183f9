import type { MergeResult } from '../../../project/git.js'
import { partsAtOnce, splitOutcome } from '../decisions/split.js'

// The parts of a phase, each in a work tree of its own, a few at once, and brought together one after another.

export interface PartResult {
  status: 'completed' | 'failed' | 'needs_human_verification'
  alignment_score: number | null
  issues: readonly string[]
}

/** Why a part could not simply be merged. */
export interface MergeTrouble {
  /** `lost`: files are gone without a commit that deleted them. */
  kind: 'conflict' | 'lost' | 'dirty' | 'other'
  paths: readonly string[]
  output: string
}

/** `resolved`: a person has done it. `debugger`: an agent tries, then it is merged again. `drop`: the part is left out. */
export type MergeAnswer = 'resolved' | 'debugger' | 'drop'

/** What the run hands in. Each of these is on record, so that a part is worked on and merged once. */
export interface SplitPorts<Part> {
  /** Work tree and branch of a part. */
  open(part: Part): Promise<void>
  /** From execution to rating, in its work tree. */
  work(part: Part): Promise<PartResult>
  /** `round` is 1 for the first try. */
  merge(part: Part, round: number): Promise<MergeResult>
  ask(part: Part, trouble: MergeTrouble, round: number): Promise<MergeAnswer>
  /** Has an agent bring a part up to where HEAD is. */
  mend(part: Part, trouble: MergeTrouble, round: number): Promise<void>
  /** Takes the work tree away. */
  close(part: Part): Promise<void>
}

export interface PartOutcome extends PartResult {
  part: string
  merged: boolean
}

export interface SplitRun {
  parts: PartOutcome[]
  completed: boolean
  /** Mean of the scores, cut to one decimal; null where a part has none. */
  score: number | null
}

/** Works on all parts and merges those that are completed, in order. */
export async function workParts<Part extends { id: string }>(
  parts: readonly Part[],
  ports: SplitPorts<Part>,
): Promise<SplitRun> {
  const results = await eachOf(parts, partsAtOnce, async (part) => {
    await ports.open(part)
    return await ports.work(part)
  })
  const outcomes: PartOutcome[] = []
  for (const [at, part] of parts.entries()) {
    const result = results[at]
    if (result === undefined) throw new Error(`the part ${part.id} has no result`)
    const merged = result.status === 'failed' ? false : await bringIn(part, ports)
    // What was left out is not done, however good it was.
    const status = result.status === 'completed' && !merged ? 'failed' : result.status
    outcomes.push({ ...result, status, part: part.id, merged })
    await ports.close(part)
  }
  return { parts: outcomes, ...splitOutcome(outcomes) }
}

async function bringIn<Part>(part: Part, ports: SplitPorts<Part>): Promise<boolean> {
  for (let round = 1; ; round += 1) {
    const trouble = troubleOf(await ports.merge(part, round))
    if (trouble === undefined) return true
    const answer = await ports.ask(part, trouble, round)
    if (answer === 'drop') return false
    // A merge that lost files is made; a person who says that it is right has the last word.
    if (answer === 'resolved' && trouble.kind === 'lost') return true
    if (answer === 'debugger') await ports.mend(part, trouble, round)
  }
}

/** What is wrong with a merge. A part that changed nothing is merged. */
export function troubleOf(result: MergeResult): MergeTrouble | undefined {
  if (result.done === 'failed') {
    const { kind, paths, output } = result
    return { kind: kind === 'conflict' || kind === 'dirty' ? kind : 'other', paths, output }
  }
  const { lost = [] } = result
  return lost.length === 0 ? undefined : { kind: 'lost', paths: lost, output: '' }
}

/** Does something with each, so many at once, and keeps their order. The first that throws ends it. */
async function eachOf<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  action: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const at = next
      next += 1
      const item = items[at]
      if (item !== undefined) results[at] = await action(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return results
}
