import { durationText } from '../../durations.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { padText } from '../../terminal/width.js'
import { isWorking, type Pane } from '../../view/panes.js'
import type { Usage } from '../../view/usage.js'
import type { RunSnapshot } from '../../view/view.js'
import { formatCost, formatTokens } from '../format.js'
import type { Line, Theme } from '../theme.js'
import { line } from './line.js'

const numbers = 10
const headings = ['time', 'tokens in', 'out', 'cost']
const mostName = 60

function nameRoom(width: number): number {
  return Math.min(mostName, Math.max(12, width - headings.length * numbers - 1))
}

interface Spent {
  name: string
  /** Milliseconds. */
  time: number | undefined
  usage: Usage | undefined
}

function columnsOf({ time, usage }: Spent): string {
  const reports = usage !== undefined && usage.inputTokens + usage.outputTokens > 0
  const cells = [
    time === undefined ? '-' : durationText(time),
    reports ? formatTokens(usage.inputTokens) : '-',
    reports ? formatTokens(usage.outputTokens) : '-',
    usage?.usd === undefined ? '-' : formatCost(usage.usd),
  ]
  return cells.map((cell) => cell.padStart(numbers)).join('')
}

function row(spent: Spent, width: number, theme: Theme): Line {
  return [
    { text: padText(sanitizeLine(spent.name), nameRoom(width), theme.ellipsis) },
    { text: columnsOf(spent) },
  ]
}

function phaseRows({ view, phaseUsage, phaseWork }: RunSnapshot, width: number, theme: Theme): Line[] {
  const known = new Map(view.phases.map(({ id, label, name }) => [id, `${label ?? id} ${name}`]))
  const ids = new Set([...phaseUsage.keys(), ...(phaseWork?.keys() ?? [])])
  const ordered = [...known.keys(), ...[...ids].filter((id) => !known.has(id))].filter((id) => ids.has(id))
  return ordered.map((id) =>
    row({ name: known.get(id) ?? id, time: phaseWork?.get(id), usage: phaseUsage.get(id) }, width, theme),
  )
}

function agentRow(pane: Pane, now: number, width: number, theme: Theme): Line {
  const end = isWorking(pane) ? now : (pane.endedAt ?? now)
  const name = `${pane.title} (${pane.persona})`
  return row({ name, time: Math.max(0, end - pane.startedAt), usage: pane.usage }, width, theme)
}

/** The agents that are told one by one; of a run that was resumed they may be the last ones alone. */
function agentsHead({ panes, dispatched }: RunSnapshot): string {
  const all = [...(dispatched?.values() ?? [])].reduce((sum, count) => sum + count, 0)
  return `Agents, newest last${all > panes.length ? ` (the last ${panes.length} of ${all})` : ''}`
}

/** What was used, phase by phase and agent by agent. `now`: epoch milliseconds. */
export function costRows(snapshot: RunSnapshot, now: number, width: number, theme: Theme): Line[] {
  const { usage, panes, times } = snapshot
  const head = headings.map((cell) => cell.padStart(numbers)).join('')
  return [
    [
      { text: padText('Used so far', nameRoom(width)), strong: true },
      { text: head, strong: true },
    ],
    ...phaseRows(snapshot, width, theme),
    row({ name: 'All', time: times.workMs, usage }, width, theme),
    ...(panes.length === 0 ? [] : [line(''), line(agentsHead(snapshot), undefined, true)]),
    ...panes.map((pane) => agentRow(pane, now, width, theme)),
  ]
}
