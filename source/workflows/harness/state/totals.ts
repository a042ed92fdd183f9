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
}

export function totals(state: HarnessState): Totals {
  const history = knownHistory(state)
  return {
    phases: state.phases.filter((phase) => phase.status === 'complete').length,
    skipped: state.phases.filter((phase) => phase.status === 'skipped').length,
    tasks: history.reduce((sum, entry) => sum + entry.tasksCompleted, 0),
    retries: history.reduce((sum, entry) => sum + entry.retriesUsed, 0),
  }
}
