import { counted } from '../../../counted.js'
import type { Opening } from './breaker.js'

/** For one, and for several. */
const words: Readonly<Record<Opening['reason'], [one: string, many: string]>> = {
  no_progress: ['round of mending came to nothing', 'rounds of mending came to nothing'],
  same_error: ['time the same error in a row', 'times the same error in a row'],
  error_total: ['time the same error in this run', 'times the same error in this run'],
  probe_failed: ['try after a pause failed too', 'tries after a pause failed too'],
  phase_tokens: ['token is used in this phase', 'tokens are used in this phase'],
  phase_minutes: ['minute was worked on this phase', 'minutes were worked on this phase'],
  total_tokens: ['token is used in this run', 'tokens are used in this run'],
  total_minutes: ['minute was worked in this run', 'minutes were worked in this run'],
  total_retries: ['retry in this run', 'retries in this run'],
}

/** True for what an event may name as the reason. */
export const isOpenReason = (reason: unknown): reason is Opening['reason'] =>
  typeof reason === 'string' && Object.hasOwn(words, reason)

/** Why a breaker opened or a run was ended by it, in a few words. */
export function openingWords({ reason, value, threshold }: Opening): string {
  const [one, many] = words[reason]
  return `${counted(Math.round(value), one, many)}; the bound is ${threshold}`
}
