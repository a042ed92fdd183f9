import { counted } from '../../../counted.js'
import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import type { Opening } from '../breaker/breaker.js'

/** For one, and for several. */
const words: Readonly<Record<string, [one: string, many: string]>> = {
  no_progress: ['round of mending came to nothing', 'rounds of mending came to nothing'],
  same_error: ['time the same error in a row', 'times the same error in a row'],
  error_total: ['time the same error in this run', 'times the same error in this run'],
  probe_failed: ['try after a pause failed too', 'tries after a pause failed too'],
  phase_tokens: ['token is used in this phase', 'tokens are used in this phase'],
  phase_minutes: ['minute was worked on this phase', 'minutes were worked on this phase'],
}

/** The breaker is open: nothing is sent before time has passed, or a person says so. */
export function qBreaker(phase: string, why: Opening, until: string | null): QuestionDraft {
  const isCap = why.reason.startsWith('phase_')
  const [one, many] = words[why.reason] ?? [why.reason, why.reason]
  const body = [
    `${counted(Math.round(why.value), one, many)}; the bound is ${why.threshold}.`,
    isCap
      ? 'Waiting does not help: it goes on only with a new allowance.'
      : 'After the pause the last step is tried once; if that comes to nothing it waits again.',
  ]
  const base = { gate: 'Q-BREAKER', title: `The circuit breaker is open in phase ${phase}`, body }
  if (isCap)
    return {
      ...base,
      options: [
        { value: 'allow', label: 'new allowance', consequence: 'the phase may use as much once more' },
        stop,
      ],
    }
  return {
    ...base,
    options: [
      { value: 'wait', label: 'wait', consequence: 'go on when the pause is over' },
      { value: 'override', label: 'override', consequence: 'try once now' },
      stop,
    ],
    ...(until === null ? {} : { countdown: { until, value: 'wait' } }),
  }
}
