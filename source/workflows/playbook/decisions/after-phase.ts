import type { Recommendation } from '../results.js'

// What the orchestrator does with what a pass over a phase came to; the first row that fits decides
// (docs/playbook-checks.md, "After a phase"). Pure.

/** The part of a return that decides. */
export interface ReturnedPhase {
  status: 'completed' | 'failed' | 'needs_human_verification' | 'split_request'
  recommendation: Recommendation
  alignment_score: number | null
  issues: readonly string[]
}

export interface RunMode {
  passThreshold: number
  /** Below it a phase is not mended but planned anew, or failed. */
  leastScore: number
  /** All outstanding phases: a failure takes its dependents along, and nothing else. */
  isComplete: boolean
  /** A phase that is still to come depends on this one, directly or over others. */
  hasDependents: boolean
}

export type AfterPhase =
  | { next: 'pass' }
  | { next: 'remediate' }
  | { next: 'revisit-at-end' }
  | { next: 'split' }
  /** The phase failed, and the run goes on. */
  | { next: 'go-on'; dropDependents: boolean }
  | { next: 'run-failed'; reason: string }

export function afterPhase(returned: ReturnedPhase, mode: RunMode): AfterPhase {
  const { status, recommendation, alignment_score: score, issues } = returned
  if (status === 'completed' && recommendation === 'proceed' && score !== null) {
    if (score >= mode.passThreshold) return { next: 'pass' }
    if (score >= mode.leastScore) return { next: 'remediate' }
  }
  if (status === 'needs_human_verification') return { next: 'revisit-at-end' }
  if (status === 'split_request') return { next: 'split' }
  const judged = issues.find((issue) => endsRun(issue, mode.isComplete))
  if (judged !== undefined) return { next: 'run-failed', reason: judged }
  if (mode.isComplete) return { next: 'go-on', dropDependents: true }
  if (!mode.hasDependents) return { next: 'go-on', dropDependents: false }
  return { next: 'run-failed', reason: issues[0] ?? 'a later phase depends on it' }
}

/** Whether a word of the judge ends the run: in a complete run a rollback is the end of its phase only. */
export function endsRun(issue: string, isComplete: boolean): boolean {
  return /^judge_halt\b/.test(issue) || (!isComplete && /^judge_rollback\b/.test(issue))
}
