import { useSize } from '../hooks/desk.js'
import { rank, useKeys } from '../hooks/keys.js'
import type { RunState } from '../hooks/run-state.js'
import { useScroll } from '../hooks/scroll.js'
import { actionOf } from '../keymap.js'
import type { RowSource } from '../layout/row-source.js'
import type { Shown } from '../views/view-id.js'
import { ScrolledText } from './help.js'

export interface TextViewProps {
  state: RunState
  view: Shown
  title: string
  lines: RowSource
  height: number
  /** It opens at its newest line and stays there. */
  fromEnd?: boolean
  /** First rows of its parts, such as the files of a diff; `n` goes to the next one. */
  parts?: readonly number[]
}

/** The first part behind, or the last before, a row. */
function partFrom(parts: readonly number[], row: number, by: 1 | -1): number | undefined {
  return by === 1 ? parts.find((part) => part > row) : parts.findLast((part) => part < row)
}

/** A text that has the screen: scrolled by keys, and where it was when it is opened again. */
export function TextView(props: TextViewProps) {
  const { state, view, title, lines, height, fromEnd = false, parts = [] } = props
  const { rows } = useSize()
  const scroll = useScroll(lines.length, Math.max(1, height - 1), fromEnd, state.places.of(view))
  useKeys((key) => {
    const action = actionOf('run', key.name)
    if (action === 'next-part' || action === 'previous-part') {
      const next = partFrom(parts, scroll.top, action === 'next-part' ? 1 : -1)
      if (next !== undefined) scroll.to(next)
      else if (parts.length > 0)
        state.tell(action === 'next-part' ? 'That was the last part.' : 'That was the first part.')
      return parts.length > 0
    }
    return scroll.act(action)
  }, rank.gate)
  return <ScrolledText key={rows} title={title} lines={lines} top={scroll.top} height={height} />
}
