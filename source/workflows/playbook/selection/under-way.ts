import { type GivenFlags, typedFlag } from '../../flags.js'
import { playbookFlags } from '../flags.js'
import { ownPhases } from '../state/carry.js'
import type { PlaybookState } from '../state/schema.js'
import { otherThanUnderWay } from './messages.js'
import { type SelectablePhase, selectPhases } from './select.js'
import type { Selection } from './words.js'

// A run that is under way is gone on with as it was begun: words that mean another one are refused, not left out.

export interface Typed {
  words: readonly string[]
  selection: Selection
  given: GivenFlags
}

/** Throws a Problem ('usage') where a run is under way and what was typed is not about it. Pure. */
export function checkUnderWay(state: PlaybookState, phases: readonly SelectablePhase[], typed: Typed): void {
  const { status, queue } = state._meta
  if (status === 'completed') return
  const flags = Object.entries(typed.given)
    .filter(([name, value]) => value !== undefined && state._meta.flags[name] !== value)
    .map(([name]) => typedFlag(name))
  const words = isOfRun(state, phases, typed) ? [] : typed.words
  if (flags.length === 0 && words.length === 0) return
  throw otherThanUnderWay([...words, ...flags], queue, status === 'failed')
}

/** Nothing is named, or the same as when the run began, or just what is left of it. */
function isOfRun(
  state: PlaybookState,
  phases: readonly SelectablePhase[],
  { words, selection }: Typed,
): boolean {
  const { selectors, flags, queue } = state._meta
  if (selection.kind !== 'all' && selection.kind !== 'next' && selection.kind !== 'phases') return true
  if (Array.isArray(selectors) && selectors.join(' ') === words.join(' ')) return true
  const own = new Set([...ownPhases(state).filter((id) => isBegun(state, id)), ...queue])
  const wanted = selectPhases(phases, selection, playbookFlags(flags)).queue
  return wanted.every((id) => own.has(id)) && queue.every((id) => wanted.includes(id))
}

function isBegun({ phases }: PlaybookState, id: string): boolean {
  return phases[`phase_${id}`]?.status !== 'not_started'
}
