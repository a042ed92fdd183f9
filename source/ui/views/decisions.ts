import { sanitizeLine } from '../../terminal/sanitize.js'
import { wrapText } from '../../terminal/width.js'
import type { DecisionView, RunSnapshot, WorkflowView } from '../../view/view.js'
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

/** What a person has chosen, with the question that it answers. */
function answers({ timeline }: RunSnapshot): DecisionView[] {
  return timeline.flatMap(({ at, answered }) => {
    if (!answered) return []
    const { chosen, gate, title, note } = answered
    return [{ at, text: `${gate}: ${chosen}`, why: note === undefined ? title : `${title} - ${note}` }]
  })
}

/** What the workflow has recorded, and every answer: few of them become a record of its own. */
function allDecisions(snapshot: RunSnapshot): DecisionView[] {
  const all = [...answers(snapshot), ...(snapshot.view.decisions ?? [])]
  return all.sort((one, other) => Date.parse(one.at) - Date.parse(other.at) || 0)
}

/** What was decided, oldest first, with the reasons that were given. */
export const decisionsView = linesView({
  id: 'decisions',
  title: 'Decisions',
  isFilled: (snapshot) => allDecisions(snapshot).length > 0,
  fromEnd: true,
  lines: (snapshot, width) => ({
    rows: allDecisions(snapshot).flatMap((decision) => decisionRows(snapshot.view, decision, width)),
    parts: [],
  }),
  hints: [],
})
