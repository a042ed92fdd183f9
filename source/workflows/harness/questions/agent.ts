import type { QuestionDraft, QuestionOption } from '../../../run/question.js'
import { stop } from './options.js'

// Gates for a dispatch that went wrong (harness.md section 1.4).

const choosePlanFile: QuestionOption = {
  value: 'choose',
  label: 'choose plan file',
  consequence: 'use a plan that exists',
  text: { label: 'Plan file (relative to the project)', required: true },
}

/** An agent failed, wrote nothing usable, or contradicts what is on disk. */
export function qAgent(title: string, body: string[], choosePlan: boolean): QuestionDraft {
  return {
    gate: 'Q-AGENT',
    title,
    body,
    options: [
      { value: 'retry', label: 'retry the step', consequence: 'dispatch the agent again', recommended: true },
      ...(choosePlan ? [choosePlanFile] : []),
      stop,
    ],
  }
}

/** The person ended the agent's turn; what they say now is the first thing the agent hears. */
export function qInterrupted(title: string, resumes: boolean, choosePlan: boolean): QuestionDraft {
  return {
    gate: 'Q-AGENT',
    title: 'The agent was interrupted',
    body: [title, 'What it has written so far stays as it is.'],
    options: [
      {
        value: 'continue',
        label: 'continue',
        consequence: resumes ? 'go on in the same conversation' : 'dispatch the agent again',
        recommended: true,
        text: { label: 'Message to the agent', required: false },
      },
      ...(choosePlan ? [choosePlanFile] : []),
      stop,
    ],
  }
}

/** A bound of tokens, cost or turns is reached (the user's own limits). */
export function qBudget(reached: string): QuestionDraft {
  return {
    gate: 'Q-BUDGET',
    title: 'A budget is used up',
    body: [reached.replace(/^\[\w+\] /, '')],
    options: [
      {
        value: 'raise',
        label: 'raise',
        consequence: 'double this budget and go on in the same conversation',
      },
      { ...stop, recommended: true },
    ],
  }
}
