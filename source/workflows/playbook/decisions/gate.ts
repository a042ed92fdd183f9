import type { Recommendation } from '../results.js'

// What follows from verification, judgement and rating; the first that fits decides. Pure.

export interface GateFacts {
  recommendation: Recommendation
  /** What the judge is concerned about; why a run ends by its word is told with it. */
  concerns?: readonly string[]
  /** A check is red, or a criterion does not hold. */
  failing: boolean
  /** Null where nothing was rated. */
  score: number | null
  /** Under it a phase is planned anew: 7.0 unless the settings say otherwise. */
  leastScore: number
  debugLeft: number
  replanLeft: number
  /** A task waits for a person and nobody else could decide it, or deferring was allowed. */
  needsPerson: boolean
}

export type GateDecision =
  | { next: 'rollback'; recommendation: Recommendation; issue: string }
  | { next: 'debug' }
  | { next: 're-plan' }
  | { next: 'person' }
  | { next: 'complete' }

export function decideGate(facts: GateFacts): GateDecision {
  const { recommendation, failing, score, leastScore } = facts
  if (recommendation === 'halt' || recommendation === 'rollback')
    return { next: 'rollback', recommendation, issue: `judge_${recommendation}: ${whyOf(facts)}` }
  if (failing || recommendation === 'debug')
    return facts.debugLeft > 0
      ? { next: 'debug' }
      : { next: 'rollback', recommendation: 'halt', issue: 'debug attempts are used up' }
  if (score !== null && score < leastScore)
    return facts.replanLeft > 0
      ? { next: 're-plan' }
      : {
          next: 'rollback',
          recommendation: 'halt',
          issue: `score ${score.toFixed(1)} is below ${leastScore.toFixed(1)}`,
        }
  return facts.needsPerson ? { next: 'person' } : { next: 'complete' }
}

const longestWhy = 300

function whyOf({ concerns = [] }: GateFacts): string {
  const why = concerns.join(' ').replace(/\s+/g, ' ').trim().slice(0, longestWhy)
  return why === '' ? 'the judge asks for it' : why
}
