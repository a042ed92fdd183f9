import type { RunSnapshot } from '../../view/view.js'
import { keyOf } from '../keymap.js'
import type { Line } from '../theme.js'
import { line, rule } from './line.js'
import type { PaneChoices } from './pane-choices.js'
import { agentsAside, type MainArea, paneSection } from './pane-section.js'
import { lastTexts, recapTexts } from './timeline.js'

/** Below this width the recap gets few rows, since agents have few as well. */
const narrow = 72
const narrowRecap = 3

function recapPart(snapshot: RunSnapshot, area: MainArea): Line[] {
  const { width, height, theme } = area
  if (height < 4) return []
  const half = snapshot.panes.length === 0 ? height - 3 : Math.floor(height / 2) - 1
  const room = width < narrow ? Math.min(narrowRecap, half) : half
  const lines = recapTexts(snapshot.recap, width, room, theme)
  if (lines.length === 0) return []
  return [
    rule('While you were away', width, theme, {
      aside: `${keyOf('timeline')} shows all, ${keyOf('back')} hides`,
    }),
    ...lines,
  ]
}

function reportPart({ panes, reports }: RunSnapshot, area: MainArea): Line[] {
  const { width, height, theme } = area
  // In a small area the output of the agents is worth more than a report that the timeline shows too.
  const room = panes.length === 0 ? height - 2 : height < 12 ? 0 : Math.floor(height / 4)
  const lines = room >= 1 ? lastTexts(reports, width, room, theme) : []
  return lines.length === 0
    ? []
    : [rule('Reports', width, theme, { aside: `${keyOf('timeline')} shows all` }), ...lines]
}

function agentsPart(snapshot: RunSnapshot, choices: PaneChoices, area: MainArea): Line[] {
  const { width, height, theme } = area
  const { panes } = snapshot
  const head = height >= 3 ? [rule('Agents', width, theme, { aside: agentsAside(snapshot, choices) })] : []
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
