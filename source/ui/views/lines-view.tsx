import { useMemo } from 'react'
import type { RunSnapshot } from '../../view/view.js'
import { TextView } from '../components/text-view.js'
import { useTheme } from '../hooks/desk.js'
import type { PartedRows } from '../layout/diff-lines.js'
import type { Theme } from '../theme.js'
import type { View, ViewProps } from './view.js'

/** A view whose lines follow from what the run says of itself. */
export interface LinesSpec extends Omit<View, 'render'> {
  fromEnd?: boolean
  /** `way` counts from 0, of `ways`. */
  lines(snapshot: RunSnapshot, width: number, theme: Theme, way: number): PartedRows
}

function LinesView({ spec, state, layout }: ViewProps & { spec: LinesSpec }) {
  const theme = useTheme()
  const { snapshot } = state
  const { width, bodyHeight } = layout
  const ways = spec.ways?.(snapshot) ?? []
  const way = ways.length === 0 ? 0 : state.wayOf(spec.id) % ways.length
  const { rows, parts } = useMemo(
    () => spec.lines(snapshot, width, theme, way),
    [spec, snapshot, width, theme, way],
  )
  const title = ways.length > 1 ? `${spec.title}: ${ways[way]}` : spec.title
  return (
    <TextView
      state={state}
      view={spec.id}
      title={title}
      lines={rows}
      parts={parts}
      height={bodyHeight}
      fromEnd={spec.fromEnd === true}
    />
  )
}

export function linesView(spec: LinesSpec): View {
  const { lines: _, fromEnd: __, ...view } = spec
  return { ...view, render: (props) => <LinesView {...props} spec={spec} /> }
}
