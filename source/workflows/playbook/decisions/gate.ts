import type { Recommendation } from '../results.js'

// What follows from verification, judgement and rating; the first that fits decides. Pure.

export interface GateFacts {
  recommendation: Recommendation
  /** A check is red, or a criterion does not hold. */
  failing: boolean
  /** Null where nothing was rated. */
  score: number | null
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

const leastScore = 7

export function decideGate(facts: GateFacts): GateDecision {
  const { recommendation, failing, score } = facts
  if (recommendation === 'halt' || recommendation === 'rollback')
    return { next: 'rollback', recommendation, issue: `judge_${recommendation}: the judge asks for it` }
  if (failing || recommendation === 'debug')
    return facts.debugLeft > 0
      ? { next: 'debug' }
      : { next: 'rollback', recommendation: 'halt', issue: 'debug attempts are used up' }
  if (score !== null && score < leastScore)
    return facts.replanLeft > 0
      ? { next: 're-plan' }
      : { next: 'rollback', recommendation: 'halt', issue: `score ${score.toFixed(1)} is below 7.0` }
  return facts.needsPerson ? { next: 'person' } : { next: 'complete' }
}
