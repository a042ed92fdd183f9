import type { Decision, HarnessState } from './state/state.js'

/** A copy of the state with one more entry in the decision record. */
export function withDecision(state: HarnessState, entry: Decision): HarnessState {
  return { ...state, decisions: [...state.decisions, entry] }
}

/** The entries of the shape that this version writes; others are kept in the file and left alone. */
export function knownDecisions(state: HarnessState): Decision[] {
  return state.decisions.filter(
    (entry): entry is Decision =>
      typeof entry === 'object' &&
      entry !== null &&
      'decision' in entry &&
      'phase' in entry &&
      'timestamp' in entry,
  )
}

/** What an entry of any seen shape says (section 2.2, odd values). */
export function decisionText(entry: unknown): string {
  if (typeof entry === 'string') return entry
  if (typeof entry !== 'object' || entry === null) return String(entry)
  const record = entry as Record<string, unknown>
  return String(record.decision ?? record.what ?? record.action ?? JSON.stringify(entry))
}
