import type { QuestionOption } from '../view/question.js'

/** In nearly every gate: nothing is decided, the state is kept. Option labels are exact everywhere. */
export const stop: QuestionOption = {
  value: 'stop',
  label: 'stop',
  consequence: 'save the state and exit; the same question is asked on resume',
  stops: true,
}

/** Asked where a finding is overridden. */
export const rationale = { label: 'Why is this acceptable?', required: true }
