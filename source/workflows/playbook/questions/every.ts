import { counted } from '../../../counted.js'
import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'

/** So many phases are done as a person wanted to be asked after. */
export function qEvery(done: number, left: readonly string[]): QuestionDraft {
  return {
    gate: 'Q-EVERY',
    title: `${counted(done, 'phase is', 'phases are')} done. Go on?`,
    body: [`Left: ${left.join(', ')}.`],
    options: [
      {
        value: 'continue',
        label: 'continue',
        consequence: `phase ${left[0] ?? ''} begins`,
      },
      stop,
    ],
  }
}
