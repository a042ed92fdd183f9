import { countFindings } from './findings.js'
import { decisionText } from './state/decisions.js'
import type { Finding, HarnessState } from './state/state.js'
import { elapsedText, totals } from './state/totals.js'

/** What the person reads at the end, and again when a finished session is opened. */
export function doneReport(state: HarnessState): string[] {
  const sum = totals(state)
  const { findings, status } = state.finalReview
  const overridden = state.decisions.filter((entry) =>
    /^overridden_(final_)?review$/.test(decisionText(entry)),
  )
  const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''
  return [
    'All phases complete.',
    `Total: ${sum.phases} phases${skipped}, ${sum.tasks} tasks, ${sum.retries} ${sum.retries === 1 ? 'retry' : 'retries'}`,
    ...(sum.elapsedMs === undefined ? [] : [`Time: ${elapsedText(sum.elapsedMs)}`]),
    `Final review: ${status} (${findingCounts(findings)})`,
    ...overridden.map((entry) => {
      const { phase, rationale } = entry as { phase?: number; rationale?: string }
      const where =
        decisionText(entry) === 'overridden_review' ? `phase ${Number(phase) + 1}` : 'the final review'
      return `Overridden findings of ${where}: ${rationale ?? 'no rationale'}`
    }),
  ]
}

/** `0 blocking, 1 warning`: severities that were found, and blocking always. */
function findingCounts(findings: readonly Finding[]): string {
  const { blocking, warning, note } = countFindings(findings)
  const parts = [
    `${blocking} blocking`,
    warning > 0 ? `${warning} warning` : '',
    note > 0 ? `${note} note` : '',
  ]
  return parts.filter(Boolean).join(', ')
}
