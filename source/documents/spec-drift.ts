import type { Complexity } from './complexity.js'
import { sameContent } from './same-content.js'

// How the phases of a spec differ from those of an earlier text of it (docs/harness.md, "Changes of the spec").

/** What of a phase is compared. */
export interface ComparedPhase {
  /** As the spec calls it: `3`, `5a`. */
  label: string
  name: string
  complexity: Complexity
  description: string
}

/** Places (0-based) in the list of before and in the one of now. */
export interface PhasePair {
  before: number
  after: number
}

export interface PhaseDrift {
  /** The same phase on both sides, in the order of before. */
  pairs: PhasePair[]
  /** Places in the list of now. */
  added: number[]
  /** Places in the list of before. */
  removed: number[]
  renamed: PhasePair[]
  /** The phases that stayed stand in another order. */
  moved: boolean
}

type Likeness = (before: ComparedPhase, after: ComparedPhase) => boolean

/** Surest first: a name, else a text that both have, else the label. */
const likenesses: readonly Likeness[] = [
  (before, after) => before.name === after.name,
  (before, after) => before.description.trim() !== '' && sameContent(before.description, after.description),
  (before, after) => before.label === after.label,
]

/** Pairs the phases of two texts. Names that stand twice are paired in their order. Pure. */
export function phaseDrift(before: readonly ComparedPhase[], after: readonly ComparedPhase[]): PhaseDrift {
  const pairOf = new Map<number, number>()
  const taken = new Set<number>()
  for (const like of likenesses) {
    for (const [at, phase] of before.entries()) {
      if (pairOf.has(at)) continue
      const found = after.findIndex((other, index) => !taken.has(index) && like(phase, other))
      if (found < 0) continue
      pairOf.set(at, found)
      taken.add(found)
    }
  }
  const pairs = before.flatMap((_, at) => {
    const found = pairOf.get(at)
    return found === undefined ? [] : [{ before: at, after: found }]
  })
  return {
    pairs,
    added: after.flatMap((_, at) => (taken.has(at) ? [] : [at])),
    removed: before.flatMap((_, at) => (pairOf.has(at) ? [] : [at])),
    renamed: pairs.filter((pair) => before[pair.before]?.name !== after[pair.after]?.name),
    moved: pairs.some((pair, index) => pair.after < (pairs[index - 1]?.after ?? -1)),
  }
}
