import { durationText } from '../../durations.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { hangingRows } from '../../terminal/width.js'
import { type Budget, usedOf } from '../../view/budget.js'
import type { RunSnapshot } from '../../view/view.js'
import { formatCost, formatTokens } from '../format.js'
import type { Line, Span, Theme, Tone } from '../theme.js'
import { fitLine, line } from './line.js'

/** From this share of a budget on the head of the screen tells it, and from the second on as a warning. */
const tellFrom = 0.5
const warnFrom = 0.8

/** Cells of a full gauge. */
const gaugeCells = 20

interface Filled {
  name: string
  budget: Budget
  used: number
  share: number
}

function filledOf(snapshot: RunSnapshot, now: number): Filled[] {
  const { view, usage, phaseUsage, panes } = snapshot
  return (view.budgets ?? []).flatMap((budget) => {
    const filled = (name: string, used: number): Filled => ({
      name,
      budget,
      used,
      share: budget.limit > 0 ? used / budget.limit : 1,
    })
    if (budget.scope !== 'dispatch')
      return [filled(nameOf(budget, snapshot), usedOf(budget, usage, phaseUsage))]
    // Agents tell no turns before they end, so what is used of them nobody knows.
    if (budget.name !== 'minutes') return []
    const atWork = panes.filter((pane) => pane.status === 'running' && pane.persona === budget.persona)
    return atWork.map((pane) =>
      filled(`${sanitizeLine(pane.persona)} time`, Math.max(0, now - pane.startedAt) / 60_000),
    )
  })
}

function nameOf({ scope, name, phase }: Budget, { view }: RunSnapshot): string {
  const unit = name === 'usd' ? 'cost' : 'tokens'
  if (scope === 'run') return `run ${unit}`
  const found = view.phases.find(({ id }) => id === phase)
  return `${(view.phaseWord ?? 'Phase').toLowerCase()} ${found?.label ?? phase ?? ''} ${unit}`
}

function toneOf(share: number): Tone | undefined {
  return share >= 1 ? 'bad' : share >= warnFrom ? 'warn' : undefined
}

const percent = (share: number) => `${Math.floor(share * 100)}%`

const units: Record<Budget['name'], (value: number) => string> = {
  usd: formatCost,
  tokens: formatTokens,
  minutes: (value) => durationText(value * 60_000),
  turns: String,
}

/** A row for each budget: how much of what is used, as numbers and as a gauge. `now`: epoch milliseconds. */
export function budgetRows(snapshot: RunSnapshot, now: number, width: number, theme: Theme): Line[] {
  const filled = filledOf(snapshot, now)
  const isSet = (snapshot.view.budgets ?? []).some(({ scope }) => scope !== 'dispatch')
  const none = hangingRows(
    '  ',
    'None is set: `limits` in your settings bounds runs, phases and dispatches.',
    width,
  ).map((row) => line(row, 'quiet'))
  const column = Math.max(0, ...filled.map(({ name }) => name.length))
  const gauges = filled.map(({ name, budget, used, share }) => {
    const text = units[budget.name]
    const full = Math.min(gaugeCells, Math.floor(share * gaugeCells))
    const numbers = `${text(used)} of ${text(budget.limit)}`
    const row: Line = [
      { text: `  ${name.padEnd(column)}  ` },
      { text: percent(share).padStart(4), tone: toneOf(share), strong: share >= warnFrom },
      { text: `  ${numbers.padEnd(20)} ` },
      { text: '#'.repeat(full), tone: toneOf(share) ?? 'good' },
      { text: '.'.repeat(gaugeCells - full), tone: 'quiet' },
    ]
    return row
  })
  const turns = (snapshot.view.budgets ?? []).find(({ name }) => name === 'turns')
  const bounded = turns
    ? [line(`  turns of a dispatch: at most ${turns.limit}; agents keep count themselves`)]
    : []
  return [...(isSet || turns ? [] : none), ...gauges, ...bounded].map((row) => fitLine(row, width, theme))
}

/** Budgets that are half used or more, for the head of the screen, without what the workflow tells by itself. */
export function budgetSpans(snapshot: RunSnapshot, now: number): Span[] {
  return filledOf(snapshot, now)
    .filter(({ budget, share }) => share >= tellFrom && budget.isTold !== true)
    .map(({ name, share }) => ({
      text: `${name} ${percent(share)} of budget`,
      ...(toneOf(share) ? { tone: toneOf(share) } : {}),
    }))
}
