import { isWorking, type Pane } from '../../view/panes.js'
import type { RunSnapshot } from '../../view/view.js'
import type { Line, Theme } from '../theme.js'
import { line, rule, windowStart } from './line.js'
import { focusedPane, isOpen, type PaneChoices, targetOf, workingPanes } from './pane-choices.js'
import { type PaneTitleLook, paneRows, paneTitle } from './panes.js'
import { lastTexts, recapTexts } from './timeline.js'

export interface MainArea {
  width: number
  height: number
  now: number
  theme: Theme
}

/** Titles of ended agents in a small area, and rows of output that more of them leave in a large one. */
const fewTitles = 6
const leastOutput = 24

/** Below this width the recap gets few rows, since agents have few as well. */
const narrow = 72
const narrowRecap = 3

/** A pane with the rows that its output gets; none if it is closed. */
interface PlacedPane {
  pane: Pane
  open: boolean
  rows: number
}

/** The panes whose titles are shown, in order: those that work before all others, the rest around the focused one. */
function shownPanes(panes: readonly Pane[], focused: Pane, count: number): Pane[] {
  const working = workingPanes(panes)
  const start = windowStart(panes.length, count, panes.indexOf(focused))
  const around = panes.slice(start, start + count)
  if (working.length < 2) return around
  const byWorth = [...new Set([focused, ...working, ...around.toReversed()])]
  const wanted = byWorth.slice(0, Math.max(1, count))
  return panes.filter((pane) => wanted.includes(pane))
}

/** Divides `height` rows between the panes: a title for each, the rest for the output of the open ones. */
function placePanes(panes: readonly Pane[], choices: PaneChoices, height: number): PlacedPane[] {
  const focused = focusedPane(panes, choices)
  if (!focused || height <= 0) return []
  const working = workingPanes(panes).length
  const quiet = Math.max(1, Math.min(fewTitles, Math.floor(height / 3)), height - leastOutput)
  // Agents that work are worth more titles than those that have ended.
  const most = working > 1 ? Math.max(quiet, Math.min(working, Math.floor(height * 0.6))) : quiet
  const shown = shownPanes(panes, focused, Math.min(panes.length, most))
  const room = height - shown.length
  const wished = shown.filter((pane) => isOpen(panes, pane, choices))
  // Where not all of them get a row, only the one is open that keys scroll.
  const open = room < wished.length ? wished.filter((pane) => pane === focused) : wished
  const each = Math.floor(room / Math.max(1, open.length))
  const rest = room - each * open.length
  return shown.map((pane) => {
    if (!open.includes(pane)) return { pane, open: false, rows: 0 }
    const gainsRest = pane === focused || (!open.includes(focused) && pane === open.at(-1))
    return { pane, open: true, rows: each + (gainsRest ? rest : 0) }
  })
}

function placeOf(pane: Pane, { tops }: PaneChoices): PaneTitleLook['place'] {
  const top = tops.get(pane.id)
  return top === undefined ? undefined : { top: top + 1, total: pane.lines.total }
}

/** How the title of a pane is drawn on the run screen and on the full one. */
export function titleLook(
  snapshot: RunSnapshot,
  pane: Pane,
  choices: PaneChoices,
): Omit<PaneTitleLook, 'open' | 'now'> {
  const { panes, status, view } = snapshot
  const target = targetOf(panes, choices)
  const focused = target.kind === 'all' ? isWorking(pane) : pane === focusedPane(panes, choices)
  const phase = view.phases.find(({ id }) => id === pane.phase)
  const several = workingPanes(panes).length > 1 && phase !== undefined
  return {
    focused,
    follow: !choices.tops.has(pane.id),
    place: placeOf(pane, choices),
    suspended: status === 'suspended',
    ...(several ? { phase: phase.label ?? phase.id } : {}),
  }
}

function paneSection(snapshot: RunSnapshot, choices: PaneChoices, area: MainArea): Line[] {
  const { width, height, now, theme } = area
  return placePanes(snapshot.panes, choices, height).flatMap(({ pane, open, rows }) => {
    const title = paneTitle(pane, { ...titleLook(snapshot, pane, choices), open, now }, width, theme)
    return [
      title,
      ...paneRows(pane, choices.tops.get(pane.id), { width, height: rows, theme, wanted: choices.wanted }),
    ]
  })
}

/** Rows of the output of the focused pane, for paging. */
export function pageOf(panes: readonly Pane[], choices: PaneChoices, height: number): number {
  const focused = focusedPane(panes, choices)
  const placed = placePanes(panes, choices, height - 1).find(({ pane }) => pane === focused)
  return Math.max(1, placed?.rows ?? 1)
}

/** Beside the heading of the agents: how many there are, and whom keys are for where that is a question. */
function agentsAside(panes: readonly Pane[], choices: PaneChoices): string {
  if (panes.length === 0) return ''
  const working = workingPanes(panes).length
  if (working < 2) return String(panes.length)
  switch (targetOf(panes, choices).kind) {
    case 'all':
      return `${working} work, keys act on all`
    case 'one':
      return `${working} work, keys act on one`
    default:
      return `${working} work`
  }
}

function recapPart(snapshot: RunSnapshot, area: MainArea): Line[] {
  const { width, height, theme } = area
  if (height < 4) return []
  const half = snapshot.panes.length === 0 ? height - 3 : Math.floor(height / 2) - 1
  const room = width < narrow ? Math.min(narrowRecap, half) : half
  const lines = recapTexts(snapshot.recap, width, room, theme)
  if (lines.length === 0) return []
  return [rule('While you were away', width, theme, { aside: 't shows all, Esc hides' }), ...lines]
}

function reportPart({ panes, reports }: RunSnapshot, area: MainArea): Line[] {
  const { width, height, theme } = area
  // In a small area the output of the agents is worth more than a report that the timeline shows too.
  const room = panes.length === 0 ? height - 2 : height < 12 ? 0 : Math.floor(height / 4)
  const lines = room >= 1 ? lastTexts(reports, width, room, theme) : []
  return lines.length === 0 ? [] : [rule('Reports', width, theme, { aside: 't shows all' }), ...lines]
}

function agentsPart(snapshot: RunSnapshot, choices: PaneChoices, area: MainArea): Line[] {
  const { width, height, theme } = area
  const { panes } = snapshot
  const head = height >= 3 ? [rule('Agents', width, theme, { aside: agentsAside(panes, choices) })] : []
  const lines =
    panes.length === 0
      ? [line('  no agent has been started yet', 'quiet')]
      : paneSection(snapshot, choices, { ...area, height: height - head.length })
  return [...head, ...lines]
}

/** Agents and what the workflow told: the recap of a resumed run, the panes, the last reports. */
export function agentArea(
  snapshot: RunSnapshot,
  choices: PaneChoices,
  showRecap: boolean,
  area: MainArea,
): Line[] {
  const { height } = area
  if (height <= 0) return []
  const recap = showRecap ? recapPart(snapshot, area) : []
  const left = height - recap.length
  const reports = reportPart(snapshot, { ...area, height: left })
  const room = left - reports.length
  if (room <= 0) return [...recap, ...reports]
  const agents = agentsPart(snapshot, choices, { ...area, height: room })
  const filler = Array.from({ length: Math.max(0, room - agents.length) }, () => line(''))
  return [...recap, ...agents, ...(reports.length > 0 ? filler : []), ...reports].slice(0, height)
}
