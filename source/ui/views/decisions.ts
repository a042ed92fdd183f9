import { sanitizeLine } from '../../terminal/sanitize.js'
import { wrapText } from '../../terminal/width.js'
import type { DecisionView, WorkflowView } from '../../view/view.js'
import { formatTime } from '../format.js'
import { line } from '../layout/line.js'
import type { Line } from '../theme.js'
import { linesView } from './lines-view.js'

function decisionRows(view: WorkflowView, { at, phase, text, why }: DecisionView, width: number): Line[] {
  const found = view.phases.find(({ id }) => id === phase)
  const where = found ? `  ${sanitizeLine(`${found.label ?? found.id} ${found.name}`)}` : ''
  return [
    [
      { text: `${formatTime(at)} `, tone: 'quiet' },
      { text: sanitizeLine(text), strong: true },
      { text: where, tone: 'info' },
    ],
    ...(why === undefined ? [] : wrapText(sanitizeLine(why), width - 6).map((row) => line(`      ${row}`))),
  ]
}

/** What was decided, oldest first, with the reasons that were given. */
export const decisionsView = linesView({
  id: 'decisions',
  title: 'Decisions',
  isFilled: ({ view }) => (view.decisions ?? []).length > 0,
  fromEnd: true,
  lines: ({ view }, width) => ({
    rows: (view.decisions ?? []).flatMap((decision) => decisionRows(view, decision, width)),
    parts: [],
  }),
  hints: [],
})
