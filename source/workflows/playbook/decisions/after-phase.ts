import type { PhaseReturn } from '../phase-return.js'

// What the orchestrator does with what a pass over a phase came to (docs/playbook-checks.md, "After a phase"). Pure.

/** A phase that is done and not good enough yet: it is mended. Under `leastScore` it is planned anew, or has failed. */
export function wantsMending(
  {
    status,
    recommendation,
    alignment_score: score,
  }: Pick<PhaseReturn, 'status' | 'recommendation' | 'alignment_score'>,
  { passThreshold, leastScore }: { passThreshold: number; leastScore: number },
): boolean {
  if (status !== 'completed' || recommendation !== 'proceed' || score === null) return false
  return score >= leastScore && score < passThreshold
}

/** Whether a word of the judge ends the run: in a complete run a rollback is the end of its phase only. */
function endsRun(issue: string, isComplete: boolean): boolean {
  return /^judge_halt\b/.test(issue) || (!isComplete && /^judge_rollback\b/.test(issue))
}

export interface FailedPhase {
  issues: readonly string[]
  /** All outstanding phases are run: a failure takes its dependents along, and nothing else. */
  isComplete: boolean
  /** What an earlier run has completed of it is there still, for whoever builds on it. */
  isStanding: boolean
  /** A phase that is still to come depends on it, directly or over others. */
  hasDependents: boolean
}

/** What a phase that failed does to the run. */
export function afterFailure({
  issues,
  isComplete,
  isStanding,
  hasDependents,
}: FailedPhase): 'go-on' | 'drop-dependents' | 'run-failed' {
  if (issues.some((issue) => endsRun(issue, isComplete))) return 'run-failed'
  // With nothing left to run it is told at the end of the run, as with any other phase that nobody needs.
  if (isStanding || !hasDependents) return 'go-on'
  return isComplete ? 'drop-dependents' : 'run-failed'
}
