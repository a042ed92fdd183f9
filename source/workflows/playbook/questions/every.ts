import { counted } from '../../../counted.js'
import type { QuestionDraft } from '../../../view/question.js'
import { withListed } from '../../evidence/questions.js'
import { stop } from '../../options.js'

/** So many phases are done as a person wanted to be asked after. `beside`: what nobody was asked about so far. */
export function qEvery(done: number, left: readonly string[], beside: readonly string[] = []): QuestionDraft {
  return {
    gate: 'Q-EVERY',
    title: `${counted(done, 'phase is', 'phases are')} done. Go on?`,
    body: [`Left: ${left.join(', ')}.`, ...withListed(beside)],
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
