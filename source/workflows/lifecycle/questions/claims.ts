import type { QuestionDraft } from '../../../view/question.js'
import { withListed } from '../../evidence/questions.js'
import { stop } from '../../options.js'
import type { FlowStep } from '../flow/flow.js'
import type { WorkerGate } from '../results.js'
import { label, option, panel, recommended } from './options.js'

// What a worker leaves to a person or claims (docs/lifecycle.md, "The worker").

const done = 'it is recorded as completed, and the next step begins'
const again = 'the worker does it again; that counts as a failed run'
const againWithList = 'the worker does it again and is told this list; that counts as a failed run'

const letters = ['A', 'B', 'C', 'D', 'E', 'F']

/** What a worker leaves to a person, as a menu with letters; without options in words. */
export function qWorker(step: FlowStep, gate: WorkerGate, before: readonly string[] = []): QuestionDraft {
  const { question, options, recommendation } = gate
  const wanted = recommendation?.trim()
  const isWanted = (text: string, letter: string) =>
    wanted !== undefined &&
    (wanted === letter || wanted.startsWith(text) || new RegExp(`^${letter}\\b`).test(wanted))
  const first = options.findIndex((text, index) => isWanted(text, letters[index] ?? ''))
  const menu = options.map((text, index) =>
    option(letters[index] ?? '', `${letters[index]}) ${text}`, 'the worker goes on with this', {
      // What the worker does not recommend is recommended by nobody.
      ...(index === first ? recommended : {}),
      text: { label: 'What it should know besides', required: false },
    }),
  )
  return {
    gate: 'Q-WORKER',
    title: question,
    body: [
      `${label(step)}: its worker leaves this to you and waits.`,
      ...before,
      ...(wanted === undefined ? [] : [`Recommendation: ${wanted}`]),
    ],
    options: [
      ...(menu.length > 0
        ? menu
        : [
            option('answer', 'answer', 'the worker goes on with what you say', {
              text: { label: 'Answer', required: true },
            }),
          ]),
      stop,
    ],
  }
}

export function qConfirm(step: FlowStep, lines: string[], ok: boolean | undefined): QuestionDraft {
  return {
    gate: 'Q-CONFIRM',
    title: `${label(step)} is reported complete. Is it?`,
    body: lines,
    options: [
      option('confirm', 'confirm', done, ok === true ? recommended : {}),
      option('retry', 'retry', again, ok === false ? recommended : {}),
      stop,
    ],
  }
}

export function qClaim(step: FlowStep, outcome: string, evidence: string[]): QuestionDraft {
  return {
    gate: 'Q-CLAIM',
    title: `${label(step)} is reported complete, and the project does not show it`,
    body: [outcome, '', ...evidence],
    ...panel('what was looked at', evidence),
    options: [
      option('retry', 'retry', again, recommended),
      option('accept', 'accept', `${done}; with your reason`, {
        text: { label: 'Why is it accepted?', required: true },
      }),
      stop,
    ],
  }
}

/** A complete result that names an error or an open decision (docs/lifecycle.md, "The worker"). */
export function qMixed(step: FlowStep, outcome: string, doubts: string[]): QuestionDraft {
  return {
    gate: 'Q-CLAIM',
    title: `${label(step)} is reported complete, and the same result says otherwise`,
    body: [outcome, '', ...doubts],
    options: [
      option('retry', 'retry', againWithList, recommended),
      option('accept', 'accept', 'it is taken for complete, and checked as such; with your reason', {
        text: { label: 'Why is it accepted?', required: true },
      }),
      stop,
    ],
  }
}

/** Tests that are gone, skipped or red since the step began (docs/lifecycle.md, "Tests"). */
export function qTests(step: FlowStep, doubts: string[], listed: readonly string[] = []): QuestionDraft {
  return {
    gate: 'Q-TESTS',
    title: `${label(step)}: the tests are not what they were before it`,
    body: [...doubts, ...withListed(listed)],
    options: [
      option('fix', 'have it mended', againWithList, recommended),
      option('accept', 'accept', 'go on; each line goes to Key Decisions'),
      stop,
    ],
  }
}
