import { type ClosingWork, type Forecast, forecastOf, type OpenPhase, type PhaseSample } from './forecast.js'
import { isWorking } from './panes.js'
import { noUsage } from './usage.js'
import type { PhaseView, RunSnapshot } from './view.js'

const noHistory = { samples: [], sessions: 0 }

/** The tasks of a phase, as far as the run says them. */
function tasksOf({ view, tasks }: RunSnapshot, id: string): number {
  if (id === view.currentPhase && tasks.length > 0) return tasks.length
  return (view.work ?? []).filter(({ phase, task }) => phase === id && task !== undefined).length
}

function sampleOf(snapshot: RunSnapshot, { id }: PhaseView): PhaseSample {
  const { inputTokens, outputTokens, usd } = snapshot.phaseUsage.get(id) ?? noUsage
  const tasks = tasksOf(snapshot, id)
  return {
    workMs: snapshot.phaseWork?.get(id) ?? 0,
    tokens: inputTokens + outputTokens,
    ...(usd === undefined ? {} : { usd }),
    ...(tasks > 0 ? { tasks } : {}),
  }
}

/** The same with the time since the last record, while agents are at work for the phase. */
function openOf(snapshot: RunSnapshot, phase: PhaseView, now: number): OpenPhase {
  const used = sampleOf(snapshot, phase)
  const works = snapshot.panes.some((pane) => isWorking(pane) && pane.phase === phase.id)
  const since = works ? Math.max(0, now - snapshot.timesAt) : 0
  return { used: { ...used, workMs: used.workMs + since } }
}

/** What comes after the last phase, with what the same persona came to for each phase of this run. */
function closingOf({ view, panes }: RunSnapshot): ClosingWork | undefined {
  if (!view.closing) return undefined
  const { name, persona } = view.closing
  const done = panes.filter((pane) => pane.persona === persona && pane.status === 'ok')
  const samples = done.map(({ startedAt, endedAt, usage = noUsage }) => ({
    workMs: (endedAt ?? startedAt) - startedAt,
    tokens: usage.inputTokens + usage.outputTokens,
    ...(usage.usd === undefined ? {} : { usd: usage.usd }),
  }))
  return { name, samples }
}

/**
 * What is still to come of a run, as its snapshot and the history of the project say. A phase that failed is open only
 * while it is the one in work.
 *
 * @param now epoch milliseconds
 */
export function forecastOfRun(snapshot: RunSnapshot, now: number): Forecast {
  const { phases, currentPhase } = snapshot.view
  // A run that has not found its phases yet has all of its work before it.
  if (phases.length === 0) return { kind: 'unread' }
  const isOpen = ({ id, status }: PhaseView) =>
    ['pending', 'in-progress', 'waiting'].includes(status) || (status === 'failed' && id === currentPhase)
  return forecastOf({
    closing: closingOf(snapshot),
    own: phases
      .filter(({ status }) => status === 'complete')
      .map((phase) => sampleOf(snapshot, phase))
      .filter(({ workMs, tokens }) => workMs > 0 || tokens > 0),
    history: snapshot.history ?? noHistory,
    open: phases.filter(isOpen).map((phase) => openOf(snapshot, phase, now)),
  })
}
