import type { QuestionDraft } from '../../../view/question.js'

// Gate of DONE (docs/harness.md, "Questions").

export function qPr(body: string[]): QuestionDraft {
  return {
    gate: 'Q-PR',
    title: 'Create a PR?',
    body,
    options: [
      {
        value: 'yes',
        label: 'yes',
        consequence: 'title and body are made from the commits; gh opens it, or they are kept as a file',
      },
      { value: 'no', label: 'no', consequence: 'finish', safe: true },
    ],
  }
}
