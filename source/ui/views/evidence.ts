import { sanitizeLine } from '../../terminal/sanitize.js'
import { padText, textWidth, wrapText } from '../../terminal/width.js'
import type { RunSnapshot, WorkView } from '../../view/view.js'
import { factSpan } from '../layout/facts.js'
import { line, lineWidth } from '../layout/line.js'
import { parted } from '../layout/parted.js'
import type { Line, Span, Theme } from '../theme.js'
import { linesView } from './lines-view.js'

const legend = [
  'claimed: an agent says so',
  'shown: git shows it',
  'tested: our test run passed',
  'verified: an independent agent passed it',
  'approved: a person did',
]
const legendGap = '    '

/** As many words beside each other as have room. */
function legendRows(width: number): string[] {
  const rows: string[] = []
  for (const text of legend) {
    const last = rows.at(-1)
    const joined = `${last}${legendGap}${text}`
    if (last !== undefined && joined.length <= width) rows[rows.length - 1] = joined
    else rows.push(text)
  }
  return rows
}

function badges({ facts }: WorkView, theme: Theme): Span[] {
  if (facts.length === 0) return [{ text: 'nothing is known yet', tone: 'quiet' }]
  return facts.flatMap((fact, index): Span[] => [
    ...(index === 0 ? [] : [{ text: ' ' }]),
    factSpan(fact, theme),
  ])
}

/** Id and title of a task; of one that no screen of this process has shown only the id is known. */
function taskName({ tasks, taskTitles, view }: RunSnapshot, { phase, task = '' }: WorkView): string {
  const shown = phase === view.currentPhase ? tasks.find(({ id }) => id === task)?.title : undefined
  const title = shown ?? taskTitles?.get(phase)?.get(task)
  return title === undefined ? task : `${task} ${title}`
}

function phaseRows(snapshot: RunSnapshot, phase: string, width: number, theme: Theme): Line[] {
  const work = (snapshot.view.work ?? []).filter((one) => one.phase === phase)
  const found = snapshot.view.phases.find(({ id }) => id === phase)
  const whole = work.find(({ task }) => task === undefined)
  const tasks = work.filter(({ task }) => task !== undefined)
  const names = tasks.map((one) => sanitizeLine(taskName(snapshot, one)))
  const shown = tasks.map((one) => lineWidth(badges(one, theme)))
  // Titles get what the badges leave.
  const column = Math.min(
    Math.max(4, ...names.map(textWidth)),
    Math.max(16, width - 4 - Math.max(0, ...shown)),
  )
  return [
    [
      { text: sanitizeLine(`${found?.label ?? phase} ${found?.name ?? ''}`), tone: 'accent', strong: true },
      { text: '  ' },
      ...(whole ? badges(whole, theme) : []),
    ],
    ...tasks.map(
      (one, index): Line => [
        { text: `  ${padText(names[index] ?? '', column, theme.ellipsis)}  ` },
        ...badges(one, theme),
      ],
    ),
    ...(whole?.lines ?? []).flatMap((text) =>
      wrapText(sanitizeLine(text), width - 2).map((row) => line(`  ${row}`, 'quiet')),
    ),
    line(''),
  ]
}

function rowsOf(snapshot: RunSnapshot, width: number, theme: Theme) {
  const phases = [...new Set((snapshot.view.work ?? []).map(({ phase }) => phase))]
  const head = legendRows(width).map((row) => line(row, 'quiet'))
  return parted(
    [...head, line('')],
    phases.map((phase) => phaseRows(snapshot, phase, width, theme)),
  )
}

/** What is known of each task beyond what agents say. */
export const evidenceView = linesView({
  id: 'evidence',
  title: 'Evidence',
  isFilled: ({ view }) => (view.work ?? []).length > 0,
  lines: rowsOf,
  hints: [{ actions: ['next-part'], word: 'next phase' }],
})
