import type { QuestionDraft } from '../../../view/question.js'

/** The spec is not the one that was locked when the run began. */
export function qSpec(path: string, expected: string, actual: string): QuestionDraft {
  return {
    gate: 'Q-SPEC',
    title: `${path} has changed since the run began`,
    body: [
      `Locked: ${expected}`,
      `Now:    ${actual}`,
      '',
      'What was planned and judged so far was held against the old one.',
    ],
    evidence: [{ id: 'spec', kind: 'text', title: path, path }],
    options: [
      {
        value: 'accept',
        label: 'accept the new hash',
        consequence: 'the spec as it is now is locked; phases that are done stay done',
      },
      {
        value: 'stop',
        label: 'stop',
        consequence: 'the phase fails with spec_hash_mismatch',
      },
    ],
  }
}
