import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import type { Opening } from '../breaker/breaker.js'

const words: Readonly<Record<string, string>> = {
  no_progress: 'rounds of mending came to nothing',
  same_error: 'times the same error in a row',
  error_total: 'times the same error in this run',
  probe_failed: 'tries after a pause failed too',
  phase_tokens: 'tokens are used in this phase',
  phase_minutes: 'minutes were worked on this phase',
}

/** The breaker is open: nothing is sent before time has passed, or a person says so. */
export function qBreaker(phase: string, why: Opening, until: string | null): QuestionDraft {
  const isCap = why.reason.startsWith('phase_')
  const counted = `${Math.round(why.value)} ${words[why.reason] ?? why.reason}; the bound is ${why.threshold}.`
  const body = [
    counted,
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
