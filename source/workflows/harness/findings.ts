import { severityOf } from '../../documents/review.js'
import { reasonOr } from '../dispatch/last-words.js'
import { assessmentDoubt, listedAsBlocking, severityDoubt } from '../evidence/claims/verdict.js'
import type { FixFinding } from './personas/task-executor.js'
import type { ReviewResult } from './results.js'
import type { Finding } from './state/state.js'

/**
 * Findings of a review result in the words of the state file; the reviewer's own word is kept (docs/harness.md,
 * "Review files").
 */
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

/**
 * Why a review has to be asked about although no finding of it blocks; undefined where it need not. One that lists nothing
 * may have said it around its result, in `words`.
 */
export function reviewDoubt(result: ReviewResult, words?: string): string | undefined {
  const doubt = doubtOf(result)
  if (doubt === undefined || result.findings.length > 0) return doubt
  return words === undefined ? doubt : `${doubt} ${reasonOr(undefined, words)}`
}

function doubtOf(result: ReviewResult): string | undefined {
  const listed = listedAsBlocking(result)
  const beside =
    listed.length === 0 ? undefined : `The reviewer lists beside its findings: ${listed.join('; ')}`
  return assessmentDoubt(result.assessment) ?? severityDoubt(findingsOf(result)) ?? beside
}

export function blockingOf(findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => finding.severity === 'blocking')
}

export interface FindingCounts {
  blocking: number
  warning: number
  note: number
}

export function countFindings(findings: readonly Finding[]): FindingCounts {
  const count = (severity: Finding['severity']) =>
    findings.filter((finding) => finding.severity === severity).length
  return { blocking: count('blocking'), warning: count('warning'), note: count('note') }
}

/** `1 blocking, 0 warning, 2 note` */
export function severityCounts(findings: readonly Finding[]): string {
  const { blocking, warning, note } = countFindings(findings)
  return `${blocking} blocking, ${warning} warning, ${note} note`
}

/** A finding, or a gap that a verifier put in words, as an executor is told it. */
export function fixFinding(finding: unknown): FixFinding {
  if (typeof finding === 'string') return { title: finding }
  const { severity, file, line, title, rationale } = finding as Finding
  return { severity, file, line, title, ...(rationale ? { rationale } : {}) }
}
