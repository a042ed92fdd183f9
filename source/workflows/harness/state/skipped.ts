import type { HistoryEntry, Phase } from './state.js'

/** The history entry of a phase that is skipped before it began. `index` is 0-based. */
export function skippedEntry({ name }: Pick<Phase, 'name'>, index: number, at: string): HistoryEntry {
  return {
    phase: index,
    name,
    startedAt: at,
    completedAt: at,
    tasksCompleted: 0,
    retriesUsed: 0,
    verificationPassed: false,
    reviewFindings: { blocking: 0, warning: 0, note: 0 },
    status: 'skipped',
  }
}
