import type { DirtyPath } from '../../../project/git.js'
import type { PlaybookState } from '../state/schema.js'
import { type PlaybookWork, save } from '../work.js'

// What the person had uncommitted when the run began, and let lie there. It is never committed with the work of an agent.

/** Kept in `_meta.own_changes`. */
export function keptChanges(state: PlaybookState): DirtyPath[] {
  const { own_changes: kept } = state._meta
  return Array.isArray(kept) ? (kept as DirtyPath[]) : []
}

export function withKeptChanges(state: PlaybookState, paths: readonly DirtyPath[]): PlaybookState {
  return { ...state, _meta: { ...state._meta, own_changes: [...paths] } }
}

/** Those that are still as uncommitted as they were. */
export async function ownChanges({ run, tools }: PlaybookWork): Promise<DirtyPath[]> {
  const kept = keptChanges(run.state)
  if (kept.length === 0) return []
  const now = new Set((await tools.git.dirty()).map(({ path }) => path))
  return kept.filter(({ path }) => now.has(path))
}

/** The person hands these over: whoever works on them may, and they are committed with that. */
export async function handOver(work: PlaybookWork, key: string, paths: readonly string[]): Promise<void> {
  await save(work, key, (state) =>
    withKeptChanges(
      state,
      keptChanges(state).filter(({ path }) => !paths.includes(path)),
    ),
  )
}
