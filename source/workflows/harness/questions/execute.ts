import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import { attemptLines } from '../../retries/attempt-lines.js'
import type { Attempt } from '../state/state.js'

// Gates of EXECUTE: checkpoints and retries (docs/harness.md, "Questions").

export function qHumanVerify(task: string, prompt: string[]): QuestionDraft {
  return {
    gate: 'human-verify',
    title: `Checkpoint in ${task}: is this right?`,
    body: prompt,
    options: [
      { value: 'confirm', label: 'confirm', consequence: 'commit and go on' },
      {
        value: 'reject',
        label: 'reject',
        consequence: 'your note becomes the order to fix it',
        text: { label: 'What is wrong?', required: true },
      },
      stop,
    ],
  }
}

/** Labels that mean something to this program; an option of the plan must not look like one. */
const ours = ['stop', 'something else', 'quit']

export function qDecision(task: string, prompt: string[], options: string[]): QuestionDraft {
  return {
    gate: 'decision',
    title: `Decision in ${task}`,
    body: prompt,
    options: [
      ...options.map((label) => ({
        value: `option:${label}`,
        label: ours.includes(label.trim().toLowerCase()) ? `"${label}" (of the plan)` : label,
        consequence: 'go on with this choice',
      })),
      {
        value: 'other',
        label: 'something else',
        consequence: 'answer in your own words',
        text: { label: 'Your decision', required: true },
      },
      stop,
    ],
  }
}

export function qHumanAction(task: string, prompt: string[]): QuestionDraft {
  return {
    gate: 'human-action',
    title: `${task} needs something done by you`,
    body: prompt,
    options: [{ value: 'done', label: 'done', consequence: 'go on' }, stop],
  }
}

/** The executor says that something outside of its tasks is in the way. */
export function qBlocked(label: string, reason: string[]): QuestionDraft {
  return {
    gate: 'Q-AGENT',
    title: `${label}: the executor is blocked`,
    body: reason,
    options: [
      {
        value: 'retry',
        label: 'retry the step',
        consequence: 'send the agent again, with a message if you have one',
        safe: true,
        text: { label: 'Message to the agent', required: false },
      },
      { value: 'plan', label: 'revise plan', consequence: 'back to the plan gate' },
      { value: 'skip', label: 'skip phase', consequence: 'the phase is marked skipped' },
      stop,
    ],
  }
}

/** An agent that says "none" has told no more than one that says nothing. */
const isTold = (said: string | undefined) => said !== undefined && !/^(?:none\.?)?$/i.test(said.trim())

/** The retry budget of a task is gone (docs/harness.md, "Execution"). */
export function qRetry(task: string, attempts: readonly Attempt[]): QuestionDraft {
  return {
    gate: 'Q-RETRY',
    title: 'How should we proceed?',
    body: [
      `${task} - FAILED (budget exhausted)`,
      ...(isTold(attempts[0]?.tried) ? [`Tried before the first: ${attempts[0]?.tried}`] : []),
      ...attempts.map(
        (attempt, index) =>
          `Attempt ${index + 1}: ${isTold(attempt.fix) ? attempt.fix : 'no fix reported'} -> ${attempt.error}`,
      ),
      'Recorded in .harness/failures.md.',
    ],
    evidence: [{ id: 'attempts', kind: 'text', title: 'attempts', lines: attemptLines(attempts) }],
    options: [
      {
        value: 'fix',
        label: 'fix manually and continue',
        consequence: 'mend it yourself before: an agent then goes on with this task, with a fresh budget',
        safe: true,
      },
      { value: 'revise', label: 'revise plan', consequence: 'back to the plan gate' },
      stop,
    ],
  }
}

/** Two phases in a row used up their budget: the spec may be the cause. */
export function qTwoFail(first: string, second: string): QuestionDraft {
  return {
    gate: 'Q-TWOFAIL',
    title: 'Two phases in a row have used up their retries',
    body: [`${first} and ${second} both used up their retries. The cause may lie in the spec.`],
    options: [
      {
        value: 'stop',
        label: 'review the spec',
        consequence: 'save the state and exit',
        stops: true,
        safe: true,
      },
      { value: 'continue', label: 'continue', consequence: 'go on with this phase' },
    ],
  }
}
