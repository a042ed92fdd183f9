import { useMemo } from 'react'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { TextView } from '../components/text-view.js'
import { useTheme } from '../hooks/desk.js'
import { rank, useKeys } from '../hooks/keys.js'
import { useLogPart } from '../hooks/log-part.js'
import { actionOf } from '../keymap.js'
import { evidenceRows } from '../layout/evidence-rows.js'
import { focusedPane } from '../layout/pane-choices.js'
import type { View, ViewProps } from './view.js'

function LogView({ state, layout, controls }: ViewProps) {
  const theme = useTheme()
  const pane = focusedPane(state.snapshot.panes, state.panes.choices)
  const log = useLogPart(pane?.logPath, controls.readLog, state.logParts)
  const { lines, part, parts } = log
  const { rows } = useMemo(
    () => evidenceRows('log', lines, layout.width, theme),
    [lines, layout.width, theme],
  )

  function go(next: number | undefined): void {
    log.go(next)
    state.places.of('log').set(next === undefined ? undefined : 0)
  }

  useKeys((key) => {
    const action = actionOf('run', key.name)
    if (action === 'top' && part > 0) go(0)
    else if (action === 'bottom' && part < parts - 1) go(undefined)
    else if (action === 'next-part' && part < parts - 1) go(part + 1)
    else if (action === 'previous-part' && part > 0) go(part - 1)
    else return false
    return true
  }, rank.field)

  const where = parts > 1 ? `part ${part + 1} of ${parts}  ` : ''
  const title = `${where}log of ${sanitizeLine(pane?.title ?? '')}  ${sanitizeLine(pane?.logPath ?? '')}`
  return (
    <TextView
      // Another part is another text: it begins where it is said to.
      key={`${pane?.id} ${part}`}
      state={state}
      view="log"
      title={title}
      lines={rows}
      height={layout.bodyHeight}
      fromEnd
    />
  )
}

/** The whole log of the chosen agent as it lies on disk, part by part, for copying too. */
export const logView: View = {
  id: 'log',
  title: 'Log',
  isFilled: ({ panes }) => panes.some(({ logPath }) => logPath !== undefined),
  render: (props) => <LogView {...props} />,
  hints: [
    { actions: ['top'], word: 'oldest line' },
    { actions: ['next-part', 'previous-part'], word: 'next, previous part' },
    { actions: ['next-pane'], word: 'agent' },
  ],
}
