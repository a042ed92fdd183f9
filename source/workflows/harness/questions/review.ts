import type { QuestionDraft } from '../../../view/question.js'
import { rationale, stop } from '../../options.js'
import type { Finding } from '../state/state.js'

// Gates of REVIEW and FINAL_REVIEW (docs/harness.md, "Questions").

export function findingLines(findings: readonly Finding[]): string[] {
  return findings.flatMap((finding) => {
    const at = Array.isArray(finding.line)
      ? `:${finding.line.join('-')}`
      : finding.line === null
        ? ''
        : `:${finding.line}`
    const head = `[${finding.severity}] ${finding.file}${at} ${finding.title}`
    return finding.rationale ? [head, `  ${finding.rationale}`] : [head]
  })
}

export function qReview(blocking: readonly Finding[]): QuestionDraft {
  return {
    gate: 'Q-REVIEW',
    title: 'Address blocking findings before completing this phase?',
    body: findingLines(blocking),
    options: [
      {
        value: 'fix',
        label: 'fix',
        consequence: 'the executor fixes them, then verify and review run again',
        recommended: true,
      },
      { value: 'override', label: 'override', consequence: 'complete the phase as it is', text: rationale },
      stop,
    ],
  }
}

export function qFinal(blocking: readonly Finding[], cycle: number): QuestionDraft {
  return {
    gate: 'Q-FINAL',
    title: 'Address blocking findings before completing?',
    body: [
      ...findingLines(blocking),
      cycle < 3 ? `Fix cycles used: ${cycle} of 3` : 'All 3 fix cycles are used.',
    ],
    options: [
      {
        value: 'fix',
        label: 'fix',
        consequence: 'the executor fixes them, one commit each, then the review runs again',
        recommended: true,
      },
      { value: 'override', label: 'override', consequence: 'finish as it is', text: rationale },
      stop,
    ],
  }
}

export function qFinalLimit(blocking: readonly Finding[]): QuestionDraft {
  return {
    gate: 'Q-FINAL-LIMIT',
    title: 'How should we proceed?',
    body: [
      'Three fix cycles did not clear the final review. Recorded in .harness/failures.md.',
      ...findingLines(blocking),
    ],
    options: [
      {
        value: 'fix',
        label: 'fix manually and continue',
        consequence: 'the final review runs again',
        recommended: true,
      },
      stop,
    ],
  }
}
