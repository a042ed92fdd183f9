import { counted } from '../../counted.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { wrapText } from '../../terminal/width.js'
import type { FindingView, RunSnapshot, WorkflowView } from '../../view/view.js'
import { factTone } from '../layout/facts.js'
import { line } from '../layout/line.js'
import { parted } from '../layout/parted.js'
import type { Line } from '../theme.js'
import { linesView } from './lines-view.js'

function findingRows(finding: FindingView, width: number): Line[] {
  const { severity, tone, file, line: place, title, rationale, fate } = finding
  const where = [file, place].filter((text) => text !== undefined && text !== '').join(':')
  const head: Line = [
    { text: sanitizeLine(severity).padEnd(9), tone: factTone(tone), strong: true },
    { text: sanitizeLine(where), tone: 'info' },
    ...(fate === undefined ? [] : [{ text: `  ${sanitizeLine(fate)}`, tone: 'warn' as const }]),
  ]
  const texts = [title, ...(rationale === undefined ? [] : [rationale])]
  return [
    head,
    ...texts.flatMap((text) => wrapText(sanitizeLine(text), width - 4).map((row) => line(`    ${row}`))),
    line(''),
  ]
}

function nameOf(view: WorkflowView, phase: string | undefined): string {
  if (phase === undefined) return 'Review of the whole'
  const found = view.phases.find(({ id }) => id === phase)
  return found ? `${found.label ?? found.id} ${found.name}` : `Phase ${phase}`
}

function rowsOf({ view }: RunSnapshot, width: number) {
  const all = view.findings ?? []
  const phases = [...new Set(all.map(({ phase }) => phase))]
  return parted(
    [line(counted(all.length, 'finding'), undefined, true)],
    phases.map((phase) => [
      line(sanitizeLine(nameOf(view, phase)), 'accent', true),
      ...all.filter((finding) => finding.phase === phase).flatMap((finding) => findingRows(finding, width)),
    ]),
  )
}

/** What reviews found, phase by phase. */
export const findingsView = linesView({
  id: 'findings',
  title: 'Findings',
  isFilled: ({ view }) => (view.findings ?? []).length > 0,
  lines: (snapshot, width) => rowsOf(snapshot, width),
  hints: [{ actions: ['next-part'], word: 'next phase' }],
})
