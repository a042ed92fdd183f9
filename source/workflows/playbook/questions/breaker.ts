import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import { mostReopenings, type Opening } from '../breaker/breaker.js'
import { openingWords } from '../breaker/words.js'

/** The breaker is open: nothing is sent before time has passed, or a person says so. `failed` counts tries that failed. */
export function qBreaker(phase: string, why: Opening, until: string | null, failed = 0): QuestionDraft {
  const isCap = why.reason.startsWith('phase_')
  const body = [
    `${openingWords(why)}.`,
    isCap
      ? 'Waiting does not help: it goes on only with a new allowance.'
      : `After the pause the last step is tried once; if that comes to nothing ${
          failed + 1 < mostReopenings ? 'it waits again' : 'too the run fails'
        }.`,
    'Until then nothing more is spent on the phase.',
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
