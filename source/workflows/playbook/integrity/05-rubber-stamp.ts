import { type IntegrityCheck, isAssessed, type Violation } from './facts.js'

/** Scores that lie no further apart look as if nobody had scored. */
const spread = 0.2

const stricter =
  'The scores of the last phases hardly differ. Score each criterion on its own evidence, and say of each deduction what it is for.'

const levels: readonly { from: number; violation: (count: number) => Violation }[] = [
  {
    from: 7,
    violation: (count) => ({
      reason: said(count),
      event: 'rubber_stamp_critical',
      stricter,
      suspect: true,
    }),
  },
  { from: 5, violation: (count) => ({ reason: said(count), event: 'rubber_stamp_enhanced', stricter }) },
  { from: 3, violation: (count) => ({ reason: said(count), event: 'rubber_stamp_warning' }) },
]

function said(count: number): string {
  return `The last ${count} scores lie within ${spread}.`
}

/** One score after another is the same. */
export const rubberStamp: IntegrityCheck = {
  number: '5',
  name: 'rubber stamp',
  act: 'warn',
  check(facts) {
    const { alignment_score: score } = facts.returned
    if (!isAssessed(facts) || score === null) return undefined
    const count = alikeAtEnd([...facts.earlierScores, score])
    return levels.find(({ from }) => count >= from)?.violation(count)
  },
}

/** How many scores at the end lie within the spread. */
export function alikeAtEnd(scores: readonly number[]): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let count = 0
  for (const score of [...scores].reverse()) {
    low = Math.min(low, score)
    high = Math.max(high, score)
    if (high - low > spread + 1e-9) break
    count += 1
  }
  return count
}
