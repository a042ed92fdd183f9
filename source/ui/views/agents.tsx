import { Rows } from '../components/rows.js'
import { useTheme } from '../hooks/desk.js'
import { titleLook } from '../layout/main-area.js'
import { focusedPane } from '../layout/pane-choices.js'
import { paneRows, paneTitle } from '../layout/panes.js'
import type { View, ViewProps } from './view.js'

/** The focused pane on the whole screen. */
function FullPane({ state, layout }: ViewProps) {
  const theme = useTheme()
  const { snapshot, now } = state
  const { choices } = state.panes
  const pane = focusedPane(snapshot.panes, choices)
  if (!pane) return null
  const look = { ...titleLook(snapshot, pane, choices), focused: true, open: true, now }
  const title = paneTitle(pane, look, layout.width, theme)
  const area = { width: layout.width, height: layout.bodyHeight - 1, theme, wanted: choices.wanted }
  const rows = paneRows(pane, choices.tops.get(pane.id), area)
  return <Rows lines={[title, ...rows]} height={layout.bodyHeight} />
}

/** The output of one agent. */
export const agentsView: View = {
  id: 'agents',
  title: 'Agent',
  isFilled: ({ panes }) => panes.length > 0,
  render: (props) => <FullPane {...props} />,
  hints: [
    { key: 'Tab', word: 'agent' },
    { key: 'G', word: 'follow' },
    { key: '/', word: 'search' },
    { key: 'n/N', word: 'newer, older hit' },
    { key: 'L', word: 'log' },
  ],
}
