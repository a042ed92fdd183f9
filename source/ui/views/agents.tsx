import { Rows } from '../components/rows.js'
import { useTheme } from '../hooks/desk.js'
import { keyOf } from '../keymap.js'
import { fitLine, line } from '../layout/line.js'
import { focusedPane } from '../layout/pane-choices.js'
import { outputChoices, titleLook } from '../layout/pane-section.js'
import { paneRows, paneTitle, rawRows } from '../layout/panes.js'
import type { View, ViewProps } from './view.js'

const ways = ['as it is read', 'raw, for copying'] as const

/** The focused pane on the whole screen, or nothing but its text. */
function FullPane({ state, layout }: ViewProps) {
  const theme = useTheme()
  const { snapshot, now } = state
  const { choices } = state.panes
  const pane = focusedPane(snapshot.panes, choices)
  if (!pane) return null
  const { width, bodyHeight } = layout
  const top = choices.tops.get(pane.id)
  const area = { width, height: bodyHeight - 1, theme, ...outputChoices(choices) }
  if (state.wayOf('agents') % ways.length === 1) {
    const texts = rawRows(pane, top, area)
    const head = fitLine(
      line(`raw text of the pane; ${keyOf('next-way')} shows it as before`, 'quiet'),
      width,
      theme,
    )
    return <Rows lines={[head, ...texts]} height={bodyHeight} />
  }
  const look = { ...titleLook(snapshot, pane, choices), focused: true, open: true, now }
  return (
    <Rows lines={[paneTitle(pane, look, width, theme), ...paneRows(pane, top, area)]} height={bodyHeight} />
  )
}

/** The output of one agent. */
export const agentsView: View = {
  id: 'agents',
  title: 'Agent',
  isFilled: ({ panes }) => panes.length > 0,
  ways: () => ways,
  render: (props) => <FullPane {...props} />,
  hints: [
    { actions: ['next-pane'], word: 'agent' },
    { actions: ['bottom'], word: 'follow' },
    { actions: ['search'], word: 'search' },
    { actions: ['next-hit', 'next-part'], word: 'older, newer hit' },
    { actions: ['unfold'], word: 'tools' },
    { actions: ['unwrap'], word: 'wrap' },
    { actions: ['next-way'], word: 'raw' },
    { actions: ['log'], word: 'log' },
  ],
}
