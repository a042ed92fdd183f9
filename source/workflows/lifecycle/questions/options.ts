import type { Evidence, QuestionOption } from '../../../view/question.js'
import type { FlowStep } from '../flow/flow.js'

// What the questions of this workflow are made of.

export const option = (
  value: string,
  name: string,
  consequence: string,
  more: Partial<QuestionOption> = {},
): QuestionOption => ({ value, label: name, consequence, ...more })

/** What the worker recommends, or a rule of docs/lifecycle.md. */
export const recommended = { recommended: true } as const

/** Where the menu opens, recommended by nobody. */
export const safe = { safe: true } as const

/** A step as questions call it. */
export const label = (step: Pick<FlowStep, 'id' | 'name'>) => `Step ${step.id} ${step.name}`

/** Lines that a key opens; nothing where there are none. */
export function panel(title: string, lines: string[]): { evidence?: Evidence[] } {
  return lines.length === 0 ? {} : { evidence: [{ id: 'looked', kind: 'text', title, lines }] }
}
