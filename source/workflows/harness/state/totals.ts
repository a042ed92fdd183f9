import type { HarnessState, HistoryEntry } from './state.js'
import { historyEntrySchema } from './state.js'

/** Entries of the known shape; others are kept in the file and not counted. */
export function knownHistory(state: HarnessState): HistoryEntry[] {
  return state.history.flatMap((entry) => {
    const parsed = historyEntrySchema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}

export interface Totals {
  /** Phases that were executed to the end; skipped ones are not in it. */
  phases: number
  skipped: number
  tasks: number
  retries: number
  /** Milliseconds from the first phase start to the last completion; undefined without history. */
  elapsedMs: number | undefined
}

export function totals(state: HarnessState): Totals {
  const history = knownHistory(state)
  const starts = history.map((entry) => Date.parse(entry.startedAt)).filter(Number.isFinite)
  const ends = history.map((entry) => Date.parse(entry.completedAt)).filter(Number.isFinite)
  return {
    phases: state.phases.filter((phase) => phase.status === 'complete').length,
    skipped: state.phases.filter((phase) => phase.status === 'skipped').length,
    tasks: history.reduce((sum, entry) => sum + entry.tasksCompleted, 0),
    retries: history.reduce((sum, entry) => sum + entry.retriesUsed, 0),
    elapsedMs: starts.length > 0 && ends.length > 0 ? Math.max(...ends) - Math.min(...starts) : undefined,
  }
}

export function elapsedText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return `${Math.max(0, Math.round(ms / 1000))} s`
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
