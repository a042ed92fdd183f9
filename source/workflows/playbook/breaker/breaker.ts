import type { CapName, ReachedCap } from './caps.js'
import type { BreakerLimits } from './limits.js'
import { stepOf } from './signature.js'

// The circuit breaker (docs/playbook-checks.md, "Circuit breaker"): what stops a run that burns and gets nowhere. A pure reducer; the clock is handed in.

/** As the state file keeps it. */
export interface Breaker {
  state: 'closed' | 'open' | 'half_open'
  consecutive_no_progress: number
  consecutive_same_error: number
  /** Signature of the last error. */
  last_error: string | null
  /** ISO. */
  cooldown_until: string | null
  /** Times that a probe failed since it was closed. */
  reopen_count: number
  /** By signature, over the whole run. */
  error_counts: Record<string, number>
}

export const closedBreaker: Breaker = {
  state: 'closed',
  consecutive_no_progress: 0,
  consecutive_same_error: 0,
  last_error: null,
  cooldown_until: null,
  reopen_count: 0,
  error_counts: {},
}

type OpenReason = 'no_progress' | 'same_error' | 'error_total' | 'probe_failed' | CapName

/** Details of the event that tells of it. */
export interface Opening {
  reason: OpenReason
  threshold: number
  value: number
}

/** A signature that came so often in one run opens too. */
export const errorTotal = 10
/** A probe that fails for so many times ends the run. */
export const mostReopenings = 3

/** How a round of mending ended: a debug attempt, a re-plan, a step that was sent for once more. */
export interface Round {
  progress: boolean
  /** Signature of the error that it ended with. */
  error?: string
  /** Steps that succeeded in it. */
  succeeded?: readonly string[]
  /** The gate that it was about is met. */
  gateMet?: boolean
}

export interface BreakerStep {
  breaker: Breaker
  /** Tell that it opened, was closed, or that the run has to end. */
  happened?: ({ kind: 'opened' } & Opening) | { kind: 'closed' } | ({ kind: 'run-failed' } & Opening)
}

/** What a round does to the breaker. `now` is an ISO time. Nothing can end while it is open: nothing was begun. */
export function afterRound(before: Breaker, round: Round, limits: BreakerLimits, now: string): BreakerStep {
  const counted = counting(before, round)
  if (before.state === 'half_open') return afterProbe(counted, round, limits, now)
  if (before.state === 'open') return { breaker: before }
  const reason = openReason(counted, round, limits)
  return reason === undefined ? { breaker: counted } : opened(counted, reason, limits, now)
}

function counting(breaker: Breaker, { progress, error, succeeded = [] }: Round): Breaker {
  const isForgotten = breaker.last_error !== null && succeeded.includes(stepOf(breaker.last_error))
  const known = isForgotten ? { ...breaker, consecutive_same_error: 0, last_error: null } : breaker
  const moved = { ...known, consecutive_no_progress: progress ? 0 : known.consecutive_no_progress + 1 }
  if (error === undefined) return moved
  return {
    ...moved,
    consecutive_same_error: error === known.last_error ? known.consecutive_same_error + 1 : 1,
    last_error: error,
    error_counts: { ...moved.error_counts, [error]: (moved.error_counts[error] ?? 0) + 1 },
  }
}

function openReason(breaker: Breaker, { error }: Round, limits: BreakerLimits): Opening | undefined {
  const total = error === undefined ? 0 : (breaker.error_counts[error] ?? 0)
  const reasons: Opening[] = [
    {
      reason: 'no_progress',
      threshold: limits.no_progress_threshold,
      value: breaker.consecutive_no_progress,
    },
    { reason: 'same_error', threshold: limits.same_error_threshold, value: breaker.consecutive_same_error },
    { reason: 'error_total', threshold: errorTotal, value: total },
  ]
  return reasons.find(({ threshold, value }) => value >= threshold)
}

function opened(breaker: Breaker, why: Opening, limits: BreakerLimits, now: string): BreakerStep {
  const until = new Date(Date.parse(now) + limits.cooldown_minutes * 60_000).toISOString()
  return {
    breaker: { ...breaker, state: 'open', cooldown_until: until },
    happened: { kind: 'opened', ...why },
  }
}

/** The one round that may be tried: it closes the breaker, or opens it once more. */
function afterProbe(breaker: Breaker, round: Round, limits: BreakerLimits, now: string): BreakerStep {
  if (round.progress || round.gateMet) {
    return { breaker: { ...closedBreaker, error_counts: breaker.error_counts }, happened: { kind: 'closed' } }
  }
  const again = { ...breaker, reopen_count: breaker.reopen_count + 1 }
  const why: Opening = { reason: 'probe_failed', threshold: mostReopenings, value: again.reopen_count }
  const step = opened(again, why, limits, now)
  return again.reopen_count >= mostReopenings ? { ...step, happened: { kind: 'run-failed', ...why } } : step
}

/** A phase that passed its gate came to something: nothing before it is in a row with what follows, and a probe has held. */
export function afterPassedPhase(before: Breaker): BreakerStep {
  if (before.state === 'open') return { breaker: before }
  const breaker = { ...closedBreaker, error_counts: before.error_counts }
  return before.state === 'half_open' ? { breaker, happened: { kind: 'closed' } } : { breaker }
}

/** A cap that was reached, in whatever state the breaker is. */
export function afterCap(before: Breaker, cap: ReachedCap, limits: BreakerLimits, now: string): BreakerStep {
  const { reason, threshold, value } = cap
  const why = { reason, threshold, value }
  if (cap.scope === 'run') return { breaker: before, happened: { kind: 'run-failed', ...why } }
  return opened(before, why, limits, now)
}

/** The breaker after the wait, an override or a new allowance: one probe may be made. */
export function halfOpen(breaker: Breaker): Breaker {
  return breaker.state === 'open' ? { ...breaker, state: 'half_open', cooldown_until: null } : breaker
}
