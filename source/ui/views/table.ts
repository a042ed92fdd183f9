import type { RunSnapshot } from '../../view/view.js'
import { agentsView } from './agents.js'
import { costsView } from './costs.js'
import { decisionsView } from './decisions.js'
import { diffView } from './diff.js'
import { evidenceView } from './evidence.js'
import { findingsView } from './findings.js'
import { helpView } from './help.js'
import { inboxView } from './inbox.js'
import { logView } from './log.js'
import { overviewView } from './overview.js'
import { planView } from './plan.js'
import { timelineView } from './timeline.js'
import type { View } from './view.js'
import { type Shown, type ViewId, viewIds } from './view-id.js'

const table: Record<ViewId, View> = {
  overview: overviewView,
  agents: agentsView,
  plan: planView,
  diff: diffView,
  findings: findingsView,
  evidence: evidenceView,
  decisions: decisionsView,
  costs: costsView,
  inbox: inboxView,
  timeline: timelineView,
  log: logView,
  help: helpView,
}

export function viewOf(id: ViewId): View {
  return table[id]
}

/** The views that a run has something for, in order. */
export function filledViews(snapshot: RunSnapshot): View[] {
  return viewIds.map((id) => table[id]).filter((view) => view.isFilled?.(snapshot) ?? true)
}

/** The view before or after what is shown. */
export function neighbour(snapshot: RunSnapshot, shown: Shown, by: 1 | -1): ViewId {
  const filled = filledViews(snapshot)
  const at = Math.max(
    0,
    filled.findIndex(({ id }) => id === shown),
  )
  return filled[(at + by + filled.length) % filled.length]?.id ?? 'overview'
}
