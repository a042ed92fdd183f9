import { counted } from '../../counted.js'
import { letPassLines, listedLines, overriddenFindings, phaseBadges } from './evidence-lines.js'
import { countFindings } from './findings.js'
import { phaseMark } from './phases.js'
import type { Finding, HarnessState } from './state/state.js'
import { totals } from './state/totals.js'

/** No phase was skipped, and none was left open. */
export function allComplete({ phases }: HarnessState): boolean {
  return phases.every(({ status }) => status === 'complete')
}

function notComplete({ phases }: HarnessState): string {
  const of = (wanted: (status: string) => boolean) => phases.filter(({ status }) => wanted(status)).length
  const skipped = of((status) => status === 'skipped')
  const open = of((status) => status !== 'skipped' && status !== 'complete')
  return [
    ...(skipped > 0
      ? [`${skipped} of ${counted(phases.length, 'phase')} ${skipped === 1 ? 'was' : 'were'} skipped`]
      : []),
    ...(open > 0 ? [`${open} of ${counted(phases.length, 'phase')} ${open === 1 ? 'is' : 'are'} open`] : []),
  ].join(', ')
}

/** What the person reads at the end, and again when a finished session is opened. */
export function doneReport(state: HarnessState): string[] {
  const sum = totals(state)
  const { findings, status } = state.finalReview
  const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''
  const known = state.phases.flatMap((phase, index) => {
    const found = phaseBadges(phase)
    return found.length > 0 ? [`Phase ${phaseMark(phase, index)}: ${found.join(', ')}`] : []
  })
  return [
    allComplete(state) ? 'All phases complete.' : `Done; ${notComplete(state)}.`,
    `Total: ${counted(sum.phases, 'phase')}${skipped}, ${counted(sum.tasks, 'task')}, ${counted(sum.retries, 'retry', 'retries')}`,
    `Final review: ${status} (${findingCounts(findings)})`,
    ...known,
    ...listedLines(state),
    ...letPassLines(state),
    ...overriddenFindings(state),
    ...(status === 'overridden' ? finalFindings(findings) : []),
  ]
}

function finalFindings(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ severity }) => severity === 'blocking')
    .map(({ file, title }) => `Overridden at the end: ${file ? `${file}: ` : ''}${title}`)
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
