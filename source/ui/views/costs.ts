import { sanitizeLine } from '../../terminal/sanitize.js'
import { padText } from '../../terminal/width.js'
import { isWorking, type Pane } from '../../view/panes.js'
import type { Usage } from '../../view/usage.js'
import type { RunSnapshot } from '../../view/view.js'
import { formatCost, formatDuration, formatTokens } from '../format.js'
import { line } from '../layout/line.js'
import type { Line, Theme } from '../theme.js'
import { linesView } from './lines-view.js'

const numbers = 10

function usageColumns(usage: Usage | undefined): string {
  const cells = usage
    ? [
        formatTokens(usage.inputTokens),
        formatTokens(usage.outputTokens),
        usage.usd === undefined ? '-' : formatCost(usage.usd),
      ]
    : ['-', '-', '-']
  return cells.map((cell) => cell.padStart(numbers)).join('')
}

function row(name: string, usage: Usage | undefined, width: number, theme: Theme): Line {
  const room = Math.max(12, width - 3 * numbers - 1)
  return [
    { text: padText(sanitizeLine(name), Math.min(room, 60), theme.ellipsis) },
    { text: usageColumns(usage) },
  ]
}

function timeOf({ status, startedAt, endedAt }: Pane): string {
  return isWorking({ status }) || endedAt === undefined ? 'works' : formatDuration(endedAt - startedAt)
}

function rowsOf(snapshot: RunSnapshot, width: number, theme: Theme): Line[] {
  const { view, phaseUsage, usage, panes } = snapshot
  const room = Math.min(Math.max(12, width - 3 * numbers - 1), 60)
  const phases = view.phases.filter(({ id }) => phaseUsage.has(id))
  const named = new Set(view.phases.map(({ id }) => id))
  const others = [...phaseUsage].filter(([id]) => !named.has(id))
  return [
    [
      { text: padText('Phase', room), strong: true },
      { text: ['tokens in', 'out', 'cost'].map((cell) => cell.padStart(numbers)).join(''), strong: true },
    ],
    ...phases.map(({ id, label, name }) => row(`${label ?? id} ${name}`, phaseUsage.get(id), width, theme)),
    ...others.map(([id, used]) => row(id, used, width, theme)),
    row('All', usage, width, theme),
    line(''),
    line('Agents, newest last', undefined, true),
    ...panes.map(
      (pane): Line => [
        { text: padText(sanitizeLine(`${pane.title} (${pane.persona})`), room, theme.ellipsis) },
        { text: timeOf(pane).padStart(numbers) },
      ],
    ),
  ]
}

/** What agents have used, phase by phase. */
export const costsView = linesView({
  id: 'costs',
  title: 'Tokens and cost',
  lines: (snapshot, width, theme) => ({ rows: rowsOf(snapshot, width, theme), parts: [] }),
  hints: [],
})
