import { type GivenFlags, typedFlag } from '../../flags.js'
import { playbookFlags } from '../flags.js'
import { ownPhases } from '../state/carry.js'
import type { PlaybookState } from '../state/schema.js'
import { type SelectablePhase, selectPhases } from './select.js'
import { beginsAnew, phaseWords, type Selection } from './words.js'

// A run that is under way is gone on with as it was begun: where words mean another one, a person says which.

export interface Typed {
  words: readonly string[]
  selection: Selection
  given: GivenFlags
}

/** What of the words and flags that were typed is not about the run that is under way; empty where all is. Pure. */
export function otherThanUnderWay(
  state: PlaybookState,
  phases: readonly SelectablePhase[],
  typed: Typed,
): string[] {
  if (state._meta.status === 'completed') return []
  const flags = Object.entries(typed.given)
    .filter(([name, value]) => value !== undefined && state._meta.flags[name] !== value)
    .map(([name]) => typedFlag(name))
  return [...(isOfRun(state, phases, typed) ? [] : typed.words), ...flags]
}

/** Nothing is named, or the same as when the run began, or just what is left of it. */
function isOfRun(
  state: PlaybookState,
  phases: readonly SelectablePhase[],
  { words, selection }: Typed,
): boolean {
  const { selectors, flags, queue } = state._meta
  if (beginsAnew(words)) return false
  if (selection.kind !== 'all' && selection.kind !== 'next' && selection.kind !== 'phases') return true
  if (Array.isArray(selectors) && phaseWords(selectors as string[]).join(' ') === words.join(' ')) return true
  const own = new Set([...ownPhases(state).filter((id) => isBegun(state, id)), ...queue])
  const wanted = selectPhases(phases, selection, playbookFlags(flags)).queue
  return wanted.every((id) => own.has(id)) && queue.every((id) => wanted.includes(id))
}

function isBegun({ phases }: PlaybookState, id: string): boolean {
  return phases[`phase_${id}`]?.status !== 'not_started'
}
