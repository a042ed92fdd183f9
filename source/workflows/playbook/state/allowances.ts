import type { Allowances } from '../breaker/caps.js'
import { phaseOf } from './phases.js'
import type { PlaybookState } from './schema.js'

/** Kept with the phase: how often a person granted its caps anew. */
export function allowancesOf(state: PlaybookState, id: string): Allowances {
  const { allowances } = phaseOf(state, id)
  return typeof allowances === 'object' && allowances !== null ? allowances : {}
}
