import { counted } from '../../counted.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { cutText } from '../../terminal/width.js'
import { useTheme } from '../hooks/desk.js'
import type { RunTexts } from '../hooks/run-keys.js'
import type { RunLayout } from '../hooks/run-layout.js'
import type { RunState } from '../hooks/run-state.js'
import { fitLine, line } from '../layout/line.js'
import { focusedPane, type Target } from '../layout/pane-choices.js'
import { readingHints, runHints, type Sight, stoppingLine, viewHints } from '../layout/run-hints.js'
import type { Theme } from '../theme.js'
import { viewOf } from '../views/table.js'
import { isTextView, type Shown } from '../views/view-id.js'
import { Hints } from './hints.js'
import { Rows } from './rows.js'
import { TextField } from './text-field.js'

/** Whom a message is for, and what keys do with it. */
function messageLabel(target: Target, width: number, theme: Theme): string {
  const keys = ': Enter sends, Ctrl+J line, Esc back'
  if (target.kind === 'all') return `Message to all ${counted(target.count, 'agent')}${keys}`
  if (target.kind !== 'one' || !target.chosen) return `Message to the agent${keys}`
  // What keys do is worth more than the end of a name.
  const room = Math.max(8, width - 'Message to ""'.length - keys.length)
  return `Message to "${cutText(sanitizeLine(target.pane.title), room, theme.ellipsis)}"${keys}`
}

/** What has the screen, and which keys mean something there. */
function sightOf({ snapshot, textSearch, logSearch, panes }: RunState, view: Shown): Sight {
  const { choices } = panes
  const pane = focusedPane(snapshot.panes, choices)
  const searched = { log: logSearch.hit !== undefined, agents: choices.wanted !== undefined }
  return {
    snapshot,
    own: view === 'reading' ? readingHints : viewOf(view).hints,
    text: view === 'agents' ? undefined : textSearch.shown,
    ways: view === 'reading' ? 0 : (viewOf(view).ways?.(snapshot).length ?? 0),
    searching: view === 'log' || view === 'agents' ? searched[view] : textSearch.wanted(view) !== undefined,
    follows: pane === undefined || !choices.tops.has(pane.id),
  }
}

/** Where a search looks, and how it is ended where keys mean something else without it. */
function searchLabel(view: Shown): string {
  if (isTextView(view)) return 'Search below; without a text the search is over'
  return view === 'log'
    ? 'Search in the log, newest hit first'
    : 'Search in the pane and its log, newest hit first'
}

export interface RunFootProps {
  state: RunState
  layout: RunLayout
  texts: RunTexts
}

/** The bottom of the run screen: an open field, why it takes so long, what was told last, or which keys do what. */
export function RunFoot({ state, layout, texts }: RunFootProps) {
  const theme = useTheme()
  const { snapshot, field, view } = state
  const { width } = layout
  const back = () => state.setField(undefined)
  if (field?.kind === 'say')
    return (
      <TextField
        key="say"
        label={messageLabel(field.target, width, theme)}
        width={width}
        height={layout.fieldText}
        required
        multiline
        guarded={false}
        onSend={(text) => texts.say(text, field.target)}
        onBack={back}
      />
    )
  if (field?.kind === 'search')
    return (
      <TextField
        key="search"
        label={searchLabel(view)}
        width={width}
        height={1}
        required={false}
        multiline={false}
        guarded={false}
        onSend={texts.search}
        onBack={back}
      />
    )
  if (state.stopping) return <Rows lines={[stoppingLine(snapshot, state.now, width, theme)]} height={1} />
  if (state.notice !== '')
    return <Rows lines={[fitLine(line(state.notice, 'info'), width, theme)]} height={1} />
  if (view === 'overview') return <Hints hints={runHints(snapshot, state.panelMode, state.readsPanes)} />
  return <Hints hints={viewHints(sightOf(state, view))} />
}
