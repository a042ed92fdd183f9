import { useMemo } from 'react'
import { TextView } from '../components/text-view.js'
import { useTheme } from '../hooks/desk.js'
import { costPage } from '../layout/cost-lines.js'
import type { View, ViewProps } from './view.js'

function CostsView({ state, layout }: ViewProps) {
  const theme = useTheme()
  const { snapshot, now } = state
  const { width, bodyHeight } = layout
  const lines = useMemo(() => costPage(snapshot, now, width, theme), [snapshot, now, width, theme])
  return <TextView state={state} view="costs" title="Tokens and cost" lines={lines} height={bodyHeight} />
}

/** What is still to come, how budgets fill, and what was used, phase by phase. */
export const costsView: View = {
  id: 'costs',
  title: 'Tokens and cost',
  render: (props) => <CostsView {...props} />,
  hints: [],
}
