/** Bounds of a run, by the names of the project's configuration. Minutes may be fractions. */
export interface BreakerLimits {
  no_progress_threshold: number
  same_error_threshold: number
  /** Percent of the full score under which a phase counts as degraded. */
  output_degradation_pct: number
  max_debug_attempts_per_phase: number
  max_replan_attempts_per_phase: number
  max_total_retries_per_run: number
  cooldown_minutes: number
  cost_cap_tokens_per_phase: number
  cost_cap_tokens_total: number
  wall_clock_timeout_minutes_per_phase: number
  wall_clock_timeout_minutes_total: number
}

export const usualLimits: BreakerLimits = {
  no_progress_threshold: 3,
  same_error_threshold: 5,
  output_degradation_pct: 70,
  max_debug_attempts_per_phase: 3,
  max_replan_attempts_per_phase: 1,
  max_total_retries_per_run: 10,
  cooldown_minutes: 5,
  cost_cap_tokens_per_phase: 500_000,
  cost_cap_tokens_total: 5_000_000,
  wall_clock_timeout_minutes_per_phase: 120,
  wall_clock_timeout_minutes_total: 1440,
}

/** The score under which the way is wrong, not the last step. */
export function leastScoreOf(limits: Pick<BreakerLimits, 'output_degradation_pct'>): number {
  return limits.output_degradation_pct / 10
}
