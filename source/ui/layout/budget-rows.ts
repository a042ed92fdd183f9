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
  budget: Budget
  used: number
  share: number
}

function filledOf({ view, usage, phaseUsage }: RunSnapshot): Filled[] {
  return (view.budgets ?? []).map((budget) => {
    const used = usedOf(budget, usage, phaseUsage)
    return { budget, used, share: budget.limit > 0 ? used / budget.limit : 1 }
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

/** A row for each budget: how much of what is used, as numbers and as a gauge. */
export function budgetRows(snapshot: RunSnapshot, width: number, theme: Theme): Line[] {
  const filled = filledOf(snapshot)
  if (filled.length === 0) {
    const text = '  None is set: `limits` in your settings bounds runs, phases and dispatches.'
    return [fitLine(line(text, 'quiet'), width, theme)]
  }
  const names = filled.map(({ budget }) => nameOf(budget, snapshot))
  const column = Math.max(...names.map((name) => name.length))
  return filled.map(({ budget, used, share }, index) => {
    const text = budget.name === 'usd' ? formatCost : formatTokens
    const full = Math.min(gaugeCells, Math.floor(share * gaugeCells))
    const numbers = `${text(used)} of ${text(budget.limit)}`
    const row: Line = [
      { text: `  ${(names[index] ?? '').padEnd(column)}  ` },
      { text: percent(share).padStart(4), tone: toneOf(share), strong: share >= warnFrom },
      { text: `  ${numbers.padEnd(20)} ` },
      { text: '#'.repeat(full), tone: toneOf(share) ?? 'good' },
      { text: '.'.repeat(gaugeCells - full), tone: 'quiet' },
    ]
    return fitLine(row, width, theme)
  })
}

/** Budgets that are half used or more, for the head of the screen, without what the workflow tells by itself. */
export function budgetSpans(snapshot: RunSnapshot): Span[] {
  return filledOf(snapshot)
    .filter(({ budget, share }) => share >= tellFrom && budget.isTold !== true)
    .map(({ budget, share }) => ({
      text: `${nameOf(budget, snapshot)} ${percent(share)} of budget`,
      ...(toneOf(share) ? { tone: toneOf(share) } : {}),
    }))
}
