import { severityOf } from '../../documents/review.js'
import type { FixFinding } from './personas/task-executor.js'
import type { ReviewResult } from './results.js'
import type { Finding } from './state/state.js'

/** Findings of a review result in the words of the state file; the reviewer's own word is kept (section 2.5). */
export function findingsOf(result: ReviewResult): Finding[] {
  return result.findings.map((reported) => {
    const severity = severityOf(reported.severity)
    return {
      ...reported,
      severity,
      line: reported.line ?? null,
      ...(reported.severity === severity ? {} : { rawSeverity: reported.severity }),
    }
  })
}

export function blockingOf(findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => finding.severity === 'blocking')
}

/** A finding, or a gap that a verifier put in words, as an executor is told it. */
export function fixFinding(finding: unknown): FixFinding {
  if (typeof finding === 'string') return { title: finding }
  const { severity, file, line, title, rationale } = finding as Finding
  return { severity, file, line, title, ...(rationale ? { rationale } : {}) }
}
