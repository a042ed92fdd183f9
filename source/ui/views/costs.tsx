import { useMemo } from 'react'
import { forecastOfRun } from '../../view/forecast-of-run.js'
import type { RunSnapshot } from '../../view/view.js'
import { TextView } from '../components/text-view.js'
import { useTheme } from '../hooks/desk.js'
import { budgetRows } from '../layout/budget-rows.js'
import { costRows } from '../layout/cost-rows.js'
import { forecastRows } from '../layout/forecast-rows.js'
import { line } from '../layout/line.js'
import type { Line, Theme } from '../theme.js'
import type { View, ViewProps } from './view.js'

function rowsOf(snapshot: RunSnapshot, now: number, width: number, theme: Theme): Line[] {
  const forecast = forecastOfRun(snapshot, now)
  return [
    line('Still to come', undefined, true),
    ...forecastRows(forecast, snapshot.history !== undefined, width),
    line(''),
    line('Budgets', undefined, true),
    ...budgetRows(snapshot, width, theme),
    line(''),
    ...costRows(snapshot, now, width, theme),
  ]
}

function CostsView({ state, layout }: ViewProps) {
  const theme = useTheme()
  const { snapshot, now } = state
  const { width, bodyHeight } = layout
  const lines = useMemo(() => rowsOf(snapshot, now, width, theme), [snapshot, now, width, theme])
  return <TextView state={state} view="costs" title="Tokens and cost" lines={lines} height={bodyHeight} />
}

/** What is still to come, how budgets fill, and what was used, phase by phase. */
export const costsView: View = {
  id: 'costs',
  title: 'Tokens and cost',
  render: (props) => <CostsView {...props} />,
  hints: [],
}
