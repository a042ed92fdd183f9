import type { QuestionDraft } from '../../view/question.js'
import { stop } from '../options.js'

/** Git does not show what an agent claims (docs/evidence.md). `phase` as it is called on the screen. */
export function qUnproven(phase: string, doubts: string[]): QuestionDraft {
  return {
    gate: 'Q-UNPROVEN',
    title: `${phase}: git does not show the work`,
    body: doubts,
    options: [
      { value: 'retry', label: 'retry the step', consequence: 'dispatch the agent again', recommended: true },
      {
        value: 'accept',
        label: 'accept as it is',
        consequence: 'go on to verification; the decision is recorded',
      },
      stop,
    ],
  }
}
