import { sanitizeLine } from '../../terminal/sanitize.js'
import type { QuestionDraft, QuestionOption } from '../../view/question.js'
import { stop } from '../options.js'

// Gates of a dispatch that went wrong (docs/harness.md, "Questions"). `instead` is what a workflow offers
// in place of another try.

/** An agent failed, wrote nothing usable, or contradicts what is on disk. */
export function qAgent(
  title: string,
  body: string[],
  instead: readonly QuestionOption[] = [],
): QuestionDraft {
  return {
    gate: 'Q-AGENT',
    title,
    body,
    options: [
      { value: 'retry', label: 'retry the step', consequence: 'send the agent again', safe: true },
      ...instead,
      stop,
    ],
  }
}

/** To an agent that has asked something in plain text and ended. */
export function answerAgent(resumes: boolean): QuestionOption {
  return {
    value: 'answer',
    label: 'answer',
    consequence: resumes ? 'goes into the same conversation' : 'goes into the next prompt, with its words',
    text: { label: 'Your answer to the agent', required: true },
  }
}

const shownWords = 40

/** The end of what an agent said in place of a result. */
export function saidLines(said: string | undefined): string[] {
  if (said === undefined) return []
  return ['', 'Its last words:', ...said.split('\n').slice(-shownWords).map(sanitizeLine)]
}

/** The person ended the agent's turn; what they say now is the first thing the agent hears. */
export function qInterrupted(
  title: string,
  resumes: boolean,
  instead: readonly QuestionOption[] = [],
): QuestionDraft {
  return {
    gate: 'Q-AGENT',
    title: 'The agent was interrupted',
    body: [title, 'What it has written so far stays as it is.'],
    options: [
      {
        value: 'continue',
        label: 'continue',
        consequence: resumes ? 'go on in the same conversation' : 'send the agent again',
        safe: true,
        text: { label: 'Message to the agent', required: false },
      },
      ...instead,
      stop,
    ],
  }
}

/** What a run executes has changed since it was trusted (docs/durability.md, "Trust"). */
export function qTrustAgain(programs: string[]): QuestionDraft {
  return {
    gate: 'Q-TRUST',
    title: 'What this run executes has changed. Go on with it?',
    body: ['Something in the project that is executed is not what you agreed to:', '', ...programs],
    options: [
      { ...stop, safe: true },
      { value: 'yes', label: 'yes, trust it as it is now', consequence: 'remember it and go on' },
    ],
  }
}

/** A bound of tokens, cost or turns is reached (the user's own limits). `resumes`: the agent goes on where it is. */
export function qBudget(reached: string, resumes: boolean): QuestionDraft {
  return {
    gate: 'Q-BUDGET',
    title: 'A budget is used up',
    body: [reached],
    options: [
      {
        value: 'raise',
        label: 'raise',
        consequence: `double this budget and go on${resumes ? ' in the same conversation' : ''}`,
      },
      { ...stop, safe: true },
    ],
  }
}
