import { phasesWith } from '../state/phases.js'
import type { PlaybookState } from '../state/schema.js'
import { toAskOf } from '../state/talks.js'

export const stateNames = ['MAP', 'DISCUSS', 'PHASE', 'FAILED', 'VERDICTS', 'COMPLETION'] as const
export type StateName = (typeof stateNames)[number] | 'DONE'

/** Which state function a state asks for. An open breaker is waited for by the phase that opened it. */
export function nameOfState(state: PlaybookState): StateName {
  const { status, queue } = state._meta
  if (status === 'completed') return 'DONE'
  if (status === 'failed') return 'FAILED'
  if (toAskOf(state, 'to_map').length > 0) return 'MAP'
  if (toAskOf(state, 'to_discuss').length > 0) return 'DISCUSS'
  if (queue.length > 0) return 'PHASE'
  return phasesWith(state, 'needs_human_verification').length > 0 ? 'VERDICTS' : 'COMPLETION'
}
