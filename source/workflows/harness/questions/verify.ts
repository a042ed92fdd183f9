import type { QuestionDraft } from '../../../view/question.js'
import { withListed } from '../../evidence/questions.js'
import { stop } from '../../options.js'

// Gates of VERIFY (docs/harness.md, "Questions").

/** `listed`: what is to be seen besides. */
export function qVerify(gaps: string[], listed: readonly string[] = []): QuestionDraft {
  return {
    gate: 'Q-VERIFY',
    title: 'Fix these issues before review?',
    body: [
      ...(gaps.length > 0 ? gaps : ['The verifier did not pass the phase and named no gap.']),
      ...withListed(listed),
    ],
    options: [
      {
        value: 'fix',
        label: 'fix',
        consequence: 'the executor fixes them, then verification runs again',
        recommended: true,
      },
      { value: 'skip', label: 'skip verification', consequence: 'go on to review; the reviewer is warned' },
      stop,
    ],
  }
}

/** `harness validate` could not say anything (docs/harness.md, "Validate command"). */
export function qValidate(reason: string[]): QuestionDraft {
  return {
    gate: 'Q-VALIDATE',
    title: 'The validate command cannot run',
    body: reason,
    options: [
      {
        value: 'verifier',
        label: 'run verifier instead',
        consequence: 'an agent verifies the phase',
        safe: true,
      },
      { value: 'skip', label: 'skip verification', consequence: 'go on to review; the reviewer is warned' },
      stop,
    ],
  }
}
