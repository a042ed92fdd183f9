import type { QuestionDraft, QuestionOption } from '../../view/question.js'
import { stop } from '../options.js'

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

/** Git does not show what the executor claims (design.md section 4). */
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

/** What a run executes has changed since it was trusted (reliability.md section 8). */
export function qTrustAgain(programs: string[]): QuestionDraft {
  return {
    gate: 'Q-TRUST',
    title: 'What this run executes has changed. Go on with it?',
    body: ['Something in the project that is executed is not what you agreed to:', '', ...programs],
    options: [
      { ...stop, recommended: true },
      { value: 'yes', label: 'yes, trust it as it is now', consequence: 'remember it and go on' },
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
