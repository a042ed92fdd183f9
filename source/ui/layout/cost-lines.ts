import { forecastOfRun } from '../../view/forecast-of-run.js'
import type { RunSnapshot } from '../../view/view.js'
import { createTheme, type Line, type Theme } from '../theme.js'
import { budgetRows } from './budget-rows.js'
import { costRows } from './cost-rows.js'
import { forecastRows } from './forecast-rows.js'
import { line } from './line.js'

/** What is still to come, how budgets fill, and what was used. `now`: epoch milliseconds. */
export function costPage(snapshot: RunSnapshot, now: number, width: number, theme: Theme): Line[] {
  const forecast = forecastOfRun(snapshot, now)
  const word = snapshot.view.phaseWord?.toLowerCase()
  return [
    line('Still to come', undefined, true),
    ...forecastRows(forecast, { isRead: snapshot.history !== undefined, word }, width),
    line(''),
    line('Budgets', undefined, true),
    ...budgetRows(snapshot, now, width, theme),
    line(''),
    ...costRows(snapshot, now, width, theme),
  ]
}

/** The same as text, for plain mode. */
export function costLines(snapshot: RunSnapshot, now: number, columns: number): string[] {
  const rows = costPage(snapshot, now, columns - 1, createTheme(false))
  return rows.map((row) =>
    row
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  )
}
