import type { Pane } from '../../view/panes.js'
import type { RunSnapshot } from '../../view/view.js'
import type { Line, Theme } from '../theme.js'
import { line, rule, windowStart } from './line.js'
import { focusedPane, isOpen, type PaneChoices } from './pane-choices.js'
import { paneRows, paneTitle } from './panes.js'
import { lastTexts, recapTexts } from './timeline.js'

export interface MainArea {
  width: number
  height: number
  now: number
  theme: Theme
}

const mostTitles = 6

/** Below this width the recap gets few rows, since agents have few as well. */
const narrow = 72
const narrowRecap = 3

function paneSection({ panes, status }: RunSnapshot, choices: PaneChoices, area: MainArea): Line[] {
  const { width, height, now, theme } = area
  const focused = focusedPane(panes, choices)
  if (!focused || height <= 0) return []
  const titles = Math.min(panes.length, mostTitles, Math.max(1, Math.floor(height / 3)))
  const start = windowStart(panes.length, titles, panes.indexOf(focused))
  const shown = panes.slice(start, start + titles)
  const open = shown.filter((pane) => isOpen(panes, pane, choices))
  const room = height - shown.length
  const each = Math.floor(room / Math.max(1, open.length))
  return shown.flatMap((pane) => {
    const top = choices.tops.get(pane.id)
    const place = { open: open.includes(pane), focused: pane === focused, follow: top === undefined }
    const look = { ...place, suspended: status === 'suspended' }
    const title = paneTitle(pane, look, now, width, theme)
    if (!look.open) return [title]
    const size = pane === focused || !open.includes(focused) ? each + (room - each * open.length) : each
    return [title, ...paneRows(pane, top, width, size, theme)]
  })
}

/** Rows of the output of the focused pane, for paging. */
export function pageOf(panes: readonly Pane[], height: number): number {
  return Math.max(1, height - Math.min(panes.length, mostTitles, Math.max(1, Math.floor(height / 3))) - 1)
}

/** Agents and what the workflow told: the recap of a resumed run, the panes, the last reports. */
export function agentArea(
  snapshot: RunSnapshot,
  choices: PaneChoices,
  showRecap: boolean,
  area: MainArea,
): Line[] {
  const { width, height, theme } = area
  if (height <= 0) return []
  const { panes, reports } = snapshot
  const recap = showRecap && height >= 4 ? snapshot.recap : []
  const half = panes.length === 0 ? height - 3 : Math.floor(height / 2) - 1
  const recapRoom = width < narrow ? Math.min(narrowRecap, half) : half
  const recapLines = recap.length === 0 ? [] : recapTexts(recap, width, recapRoom, theme)
  const recapPart =
    recapLines.length === 0
      ? []
      : [rule('While you were away', width, theme, 't shows all, Esc hides'), ...recapLines]
  const left = height - recapPart.length
  // In a small area the output of the agents is worth more than a report that the timeline shows too.
  const reportRoom = panes.length === 0 ? left - 2 : left < 12 ? 0 : Math.floor(left / 4)
  const reportLines = reportRoom >= 1 ? lastTexts(reports, width, reportRoom, theme) : []
  const reportPart =
    reportLines.length === 0 ? [] : [rule('Reports', width, theme, 't shows all'), ...reportLines]
  const paneRoom = left - reportPart.length
  if (paneRoom <= 0) return [...recapPart, ...reportPart]
  const head =
    paneRoom >= 3 ? [rule('Agents', width, theme, panes.length === 0 ? '' : String(panes.length))] : []
  const paneLines =
    panes.length === 0
      ? [line('  no agent has been started yet', 'quiet')]
      : paneSection(snapshot, choices, { ...area, height: paneRoom - head.length })
  const filler = Array.from({ length: Math.max(0, paneRoom - head.length - paneLines.length) }, () =>
    line(''),
  )
  return [...recapPart, ...head, ...paneLines, ...(reportPart.length > 0 ? filler : []), ...reportPart].slice(
    0,
    height,
  )
}
