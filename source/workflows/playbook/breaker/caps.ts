import type { BreakerLimits } from './limits.js'

// What a phase and a run may use.

export interface Used {
  phaseTokens: number
  totalTokens: number
  /** Minutes of work, without pauses and open questions. */
  phaseMinutes: number
  totalMinutes: number
}

export type CapName = 'phase_tokens' | 'phase_minutes' | 'total_tokens' | 'total_minutes' | 'total_retries'

export interface ReachedCap {
  reason: CapName
  threshold: number
  value: number
  /** A cap of the run ends it; one of a phase opens the breaker. */
  scope: 'phase' | 'run'
}

/** How often a person granted the cap of a phase anew. */
export interface Allowances {
  phase_tokens?: number
  phase_minutes?: number
}

/** The first cap that is exceeded; those of the run before those of the phase. Pure. */
export function reachedCap(
  used: Used,
  limits: BreakerLimits,
  granted: Allowances = {},
): ReachedCap | undefined {
  const times = (name: keyof Allowances) => 1 + (granted[name] ?? 0)
  const caps: ReachedCap[] = [
    {
      reason: 'total_tokens',
      threshold: limits.cost_cap_tokens_total,
      value: used.totalTokens,
      scope: 'run',
    },
    {
      reason: 'total_minutes',
      threshold: limits.wall_clock_timeout_minutes_total,
      value: used.totalMinutes,
      scope: 'run',
    },
    {
      reason: 'phase_tokens',
      threshold: limits.cost_cap_tokens_per_phase * times('phase_tokens'),
      value: used.phaseTokens,
      scope: 'phase',
    },
    {
      reason: 'phase_minutes',
      threshold: limits.wall_clock_timeout_minutes_per_phase * times('phase_minutes'),
      value: used.phaseMinutes,
      scope: 'phase',
    },
  ]
  return caps.find(({ threshold, value }) => value > threshold)
}

/** The bound on retries of a run, where one more would exceed it. */
export function retryCap(totalRetries: number, limits: BreakerLimits): ReachedCap | undefined {
  const threshold = limits.max_total_retries_per_run
  if (totalRetries < threshold) return undefined
  return { reason: 'total_retries', threshold, value: totalRetries, scope: 'run' }
}
