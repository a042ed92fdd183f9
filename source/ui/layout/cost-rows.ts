import { durationText } from '../../durations.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { padText, textWidth } from '../../terminal/width.js'
import { isWorking, type Pane } from '../../view/panes.js'
import type { Usage } from '../../view/usage.js'
import type { RunSnapshot } from '../../view/view.js'
import { formatCost, formatTokens } from '../format.js'
import type { Line, Theme } from '../theme.js'
import { line } from './line.js'

const headings = ['time', 'tokens in', 'out', 'cost']
const gap = 3
const leastName = 12

interface Spent {
  name: string
  /** In place of the name where that has no room. */
  short?: string
  /** Milliseconds. */
  time: number | undefined
  usage: Usage | undefined
}

const unknown = '-'

function cellsOf({ time, usage }: Spent): string[] {
  const reports = usage !== undefined && usage.inputTokens + usage.outputTokens > 0
  return [
    time === undefined ? unknown : durationText(time),
    reports ? formatTokens(usage.inputTokens) : unknown,
    reports ? formatTokens(usage.outputTokens) : unknown,
    usage?.usd === undefined ? unknown : formatCost(usage.usd),
  ]
}

/** How the table is divided: what the columns need, and the rest for names. */
interface Division {
  /** Of each heading; none for a column in which nothing is known. */
  cells: number[]
  name: number
}

function divide(all: readonly Spent[], width: number): Division {
  const cells = headings.map((heading, column) => {
    const texts = all.map((spent) => cellsOf(spent)[column] ?? unknown)
    return texts.every((text) => text === unknown)
      ? 0
      : Math.max(heading.length, ...texts.map(textWidth)) + gap
  })
  const room = Math.max(leastName, width - 1 - cells.reduce((sum, one) => sum + one, 0))
  return {
    cells,
    name: Math.min(room, Math.max(leastName, ...all.map(({ name }) => textWidth(sanitizeLine(name))))),
  }
}

function columns(texts: readonly string[], { cells }: Division): string {
  return texts.map((text, column) => (cells[column] ? text.padStart(cells[column]) : '')).join('')
}

function row(spent: Spent, division: Division, theme: Theme): Line {
  const name = sanitizeLine(spent.name)
  const shown = textWidth(name) <= division.name ? name : sanitizeLine(spent.short ?? spent.name)
  return [
    { text: padText(shown, division.name, theme.ellipsis) },
    { text: columns(cellsOf(spent), division) },
  ]
}

function phasesSpent({ view, phaseUsage, phaseWork }: RunSnapshot): Spent[] {
  const known = new Map(view.phases.map(({ id, label, name }) => [id, `${label ?? id} ${name}`]))
  const ids = new Set([...phaseUsage.keys(), ...(phaseWork?.keys() ?? [])])
  const ordered = [...known.keys(), ...[...ids].filter((id) => !known.has(id))].filter((id) => ids.has(id))
  return ordered.map((id) => ({
    name: known.get(id) ?? id,
    time: phaseWork?.get(id),
    usage: phaseUsage.get(id),
  }))
}

function agentSpent(pane: Pane, now: number): Spent {
  const end = isWorking(pane) ? now : (pane.endedAt ?? now)
  const name = `${pane.title} (${pane.persona})`
  return { name, short: pane.title, time: Math.max(0, end - pane.startedAt), usage: pane.usage }
}

/** The agents that are told one by one; of a run that was resumed they may be the last ones alone. */
function agentsHead({ panes, dispatched }: RunSnapshot): string {
  const all = [...(dispatched?.values() ?? [])].reduce((sum, count) => sum + count, 0)
  return `Agents, newest last${all > panes.length ? ` (the last ${panes.length} of ${all})` : ''}`
}

/** What was used, phase by phase and agent by agent. `now`: epoch milliseconds. */
export function costRows(snapshot: RunSnapshot, now: number, width: number, theme: Theme): Line[] {
  const { usage, panes, times } = snapshot
  const phases = [...phasesSpent(snapshot), { name: 'All', time: times.workMs, usage }]
  const agents = panes.map((pane) => agentSpent(pane, now))
  const division = divide([...phases, ...agents], width)
  return [
    [
      { text: padText('Used so far', division.name), strong: true },
      { text: columns(headings, division), strong: true },
    ],
    ...phases.map((spent) => row(spent, division, theme)),
    ...(panes.length === 0 ? [] : [line(''), line(agentsHead(snapshot), undefined, true)]),
    ...agents.map((spent) => row(spent, division, theme)),
  ]
}
