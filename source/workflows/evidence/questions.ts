import type { QuestionDraft, QuestionOption } from '../../view/question.js'
import { stop } from '../options.js'

// Gates of claims that nothing shows (docs/evidence.md, "Claims"). `label` is the phase as it is called on the screen.

const message = { label: 'Message to the agent', required: false }

/** Lines below the body of a gate: what nobody is asked about, and somebody should have seen. */
export const withListed = (lines: readonly string[]): string[] => (lines.length > 0 ? ['', ...lines] : [])

/** Git does not show what an agent claims. `opened`: what another try is about; `helps`: an agent can settle the doubts. */
export function qUnproven(label: string, doubts: string[], opened: string, helps = true): QuestionDraft {
  return {
    gate: 'Q-UNPROVEN',
    title: `${label}: git does not show the work`,
    body: doubts,
    options: [
      {
        value: 'retry',
        label: 'retry the step',
        consequence: opened,
        ...(helps ? { recommended: true } : {}),
        text: message,
      },
      {
        value: 'accept',
        label: 'accept as it is',
        consequence: 'go on; the decision is recorded and named at the end',
      },
      stop,
    ],
  }
}

/** Records contradict each other, or one of them was written in another's name. */
export function qContradiction(
  title: string,
  doubts: string[],
  instead: QuestionOption[] = [],
): QuestionDraft {
  return {
    gate: 'Q-AGENT',
    title,
    body: doubts,
    options: [
      {
        value: 'retry',
        label: 'retry the step',
        consequence: 'send the agent again and tell it what was doubted',
        recommended: true,
        text: message,
      },
      ...instead,
      stop,
    ],
  }
}

/** Tests are gone or skipped that no plan speaks of. `beside`: what is listed and not asked about. */
export function qTests(
  label: string,
  lost: string[],
  listed: string[],
  beside: readonly string[] = [],
): QuestionDraft {
  const planned = listed.length > 0 ? ['', 'The plan speaks of these:', ...listed] : []
  return {
    gate: 'Q-TESTS',
    title: `${label}: there are fewer tests than before`,
    body: [...lost, ...planned, ...withListed(beside)],
    options: [
      {
        value: 'fix',
        label: 'have them put back',
        consequence: 'the executor is sent with this list',
        recommended: true,
      },
      { value: 'accept', label: 'accept fewer tests', consequence: 'go on; recorded and named at the end' },
      stop,
    ],
  }
}

/** The tests are red after an order to fix them. */
export function qTestsRed(
  label: string,
  run: string,
  tail: string[],
  then: 'verification' | 'review' = 'verification',
): QuestionDraft {
  return {
    gate: 'Q-VALIDATE',
    title: `${label}: the tests of the project do not pass`,
    body: [run, '', ...tail],
    options: [
      { value: 'fix', label: 'fix', consequence: 'the executor is sent once more', recommended: true },
      {
        value: 'verifier',
        label: then === 'review' ? 'run reviewer instead' : 'run verifier instead',
        consequence: `go on to ${then === 'review' ? 'another review' : 'verification'}; that the tests are red is recorded and named at the end`,
      },
      stop,
    ],
  }
}

/** A text that was approved was changed since. `path`: of its file; `means`: what taking it over would come to. */
export function qChangedText(
  what: { gate: 'Q-PLAN-CHANGED' | 'Q-SPEC-CHANGED'; title: string; path: string },
  diff: string[],
  means: string[],
): QuestionDraft {
  return {
    gate: what.gate,
    title: what.title,
    body: [...means, '', ...diff],
    evidence: [{ id: 'text', kind: 'plan', title: what.path, path: what.path }],
    options: [
      { value: 'take', label: 'take over', consequence: 'what the file says now counts from here on' },
      {
        value: 'keep',
        label: 'keep what was approved',
        consequence: 'the file stays as it is; the approved text is executed and judged',
      },
      stop,
    ],
  }
}
