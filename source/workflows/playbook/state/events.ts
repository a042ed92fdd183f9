import type { PlaybookState, StateEvent } from './schema.js'

// What happened in a run, newest last.

/** Every event that a run writes. Readers take others too. */
export const eventNames = [
  'run_started',
  'run_completed',
  'run_halted',
  'run_resumed',
  'phase_started',
  'phase_completed',
  'phase_failed',
  'phase_skipped',
  'step_started',
  'step_completed',
  'step_failed',
  'task_completed',
  'task_failed',
  'task_retried',
  'circuit_breaker_opened',
  'circuit_breaker_closed',
  'checkpoint_written',
  'debug_attempt',
  'replan_attempt',
  'rollback_initiated',
  'rollback_completed',
  'human_verdict_recorded',
  'unnecessary_deferral_warning',
  'high_defer_rate_warning',
  'batch_completion_report',
  'autonomous_resolution_success',
  'deferral_threshold_adjusted',
  'self_audit_started',
  'self_audit_completed',
  'self_audit_gap_found',
  'self_audit_gap_fixed',
  'context_mapping_started',
  'context_mapping_completed',
  'remediation_started',
  'remediation_completed',
  'confidence_diagnostic_written',
  'force_incomplete_marked',
  'force_reexecution_started',
  'quality_remediation_started',
  'quality_remediation_completed',
  'quality_exhausted',
  'gaps_iteration_started',
  'gaps_iteration_completed',
  'gaps_exhausted',
  'discuss_session_started',
  'discuss_answers_recorded',
  'flag_mutual_exclusivity_error',
  'rubber_stamp_warning',
  'rubber_stamp_enhanced',
  'rubber_stamp_critical',
  'cross_contamination_warning',
  'spec_relocked',
  'split_started',
  'split_completed',
] as const
export type EventName = (typeof eventNames)[number]

/** So many are kept in the file; the journal holds all of them. */
export const keptEvents = 500

export interface EventDraft {
  event: EventName
  phase?: string | undefined
  step?: string | undefined
  details?: Record<string, unknown>
}

/** The state with these events at its end, and the oldest gone where there are too many. Pure; `at` is an ISO time. */
export function withEvents(state: PlaybookState, at: string, drafts: readonly EventDraft[]): PlaybookState {
  if (drafts.length === 0) return state
  const made = drafts.map(
    ({ event, phase, step, details }): StateEvent => ({
      timestamp: at,
      phase: phase ?? null,
      step: step ?? null,
      event,
      details: details ?? {},
    }),
  )
  return {
    ...state,
    _meta: { ...state._meta, event_count: state._meta.event_count + made.length },
    event_log: [...state.event_log, ...made].slice(-keptEvents),
  }
}
