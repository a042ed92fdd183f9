import type { QuestionDraft } from '../../../view/question.js'
import { withListed } from '../../evidence/questions.js'
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

/** `doubt`: why it is asked although nothing blocks; then these are all findings. `listed`: what is to be seen besides. */
export function qReview(
  findings: readonly Finding[],
  doubt?: string,
  listed: readonly string[] = [],
): QuestionDraft {
  const unclear = doubt !== undefined && !findings.some(({ severity }) => severity === 'blocking')
  return {
    gate: 'Q-REVIEW',
    title: unclear
      ? 'The review does not say that this phase is good. Address it before completing?'
      : 'Address blocking findings before completing this phase?',
    body: [...(unclear ? [doubt] : []), ...findingLines(findings), ...withListed(listed)],
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

/** `doubt` and `listed` as in `qReview`. */
export function qFinal(
  findings: readonly Finding[],
  cycle: number,
  doubt?: string,
  listed: readonly string[] = [],
): QuestionDraft {
  const unclear = doubt !== undefined && !findings.some(({ severity }) => severity === 'blocking')
  return {
    gate: 'Q-FINAL',
    title: unclear
      ? 'The final review does not say that the work is good. Address it before completing?'
      : 'Address blocking findings before completing?',
    body: [
      ...(unclear ? [doubt] : []),
      ...findingLines(findings),
      cycle < 3 ? `Fix cycles used: ${cycle} of 3` : 'All 3 fix cycles are used.',
      ...withListed(listed),
    ],
    options: [
      cycle < 3
        ? {
            value: 'fix',
            label: 'fix',
            consequence: 'the executor fixes them, one commit each, then the review runs again',
            recommended: true,
          }
        : {
            value: 'fix',
            label: 'fix',
            consequence: 'no agent is sent any more: it is recorded as a dead end, and you mend it',
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

/** Work that was claimed is not there at the end: nothing of that has passed a review. */
export function qGone(doubts: string[]): QuestionDraft {
  return {
    gate: 'Q-UNPROVEN',
    title: 'The work of this session is not all there',
    body: doubts,
    options: [
      { ...stop, safe: true },
      {
        value: 'accept',
        label: 'accept as it is',
        consequence: 'finish as overridden; what is missing is recorded and named at the end',
      },
    ],
  }
}
