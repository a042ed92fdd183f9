import { comparePhaseIds } from '../../../documents/playbook-id.js'
import { Problem } from '../../../problem.js'
import { type GivenFlags, typedFlag } from '../../flags.js'
import type { Typed } from '../../workflow.js'
import { playbookFlags } from '../flags.js'
import { qAsTyped } from '../questions/resume.js'
import { otherThanResumed } from '../selection/messages.js'
import { mustSelect, namedIds, type SelectablePhase, selectPhases } from '../selection/select.js'
import { readSelection } from '../selection/words.js'
import type { PlaybookTools } from '../tools.js'
import type { PlaybookWork } from '../work.js'

// A run that ended before it had a state goes on with what it was begun with, and not with what was typed to go on.

/** What is typed now; `resume` says nothing of its own. */
export function typedNow({ selectors = [], flags }: PlaybookTools): Typed {
  return { selectors: goesOn(selectors) ? [] : [...selectors], flags: { ...flags } }
}

/**
 * Selectors and flags of this run. The first that were typed count; where others are typed before there is a state, a
 * person says which (Q-RESUME), unless nothing was said and nothing picked yet. Throws a Problem ('usage') for `resume`
 * with other flags.
 */
export async function typedOf(
  { run, tools }: PlaybookWork,
  first: Typed,
  phases: readonly SelectablePhase[],
): Promise<Typed> {
  const now = typedNow(tools)
  let begun = runnable(phases, first)
  for (let round = 1; ; round += 1) {
    const key = `as-typed-${round}`
    const isAnswered = run.answered(key)
    const other = otherThanBegun(phases, begun, now)
    if (!isAnswered && other.length === 0) return begun
    if (!isAnswered && goesOn(tools.selectors ?? [])) throw otherThanResumed(other)
    const isOpen = saysNothing(begun) && !run.answered('pick-1')
    const { answer, subject } = await run.gate(key, async () => ({
      subject: now,
      ...(isOpen ? { settled: 'new' } : { question: qAsTyped(begun, other) }),
    }))
    // What is typed now and cannot run is refused; what was typed then, and cannot run any more, says nothing.
    if (answer.value === 'new') begun = isAnswered ? runnable(phases, subject) : subject
    if (!isAnswered) return begun
  }
}

/** What names phases that are gone, or that has nothing to do, says nothing. */
function runnable(phases: readonly SelectablePhase[], typed: Typed): Typed {
  try {
    const selection = mustSelect(readSelection(typed.selectors), phases)
    const { queue } = selectPhases(phases, selection, playbookFlags(typed.flags))
    if (queue.length > 0) return typed
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  return { selectors: [], flags: {} }
}

const goesOn = ([first, ...more]: readonly string[]) => first === 'resume' && more.length === 0

function saysNothing({ selectors, flags }: Typed): boolean {
  return selectors.length === 0 && typedFlags(flags).length === 0
}

const typedFlags = (flags: GivenFlags) => Object.entries(flags).filter(([, value]) => value !== undefined)

/** What of the words and flags is not what the run was begun with. */
function otherThanBegun(phases: readonly SelectablePhase[], begun: Typed, now: Typed): string[] {
  const flags = typedFlags(now.flags)
    .filter(([name, value]) => begun.flags[name] !== value)
    .map(([name]) => typedFlag(name))
  const isSame =
    now.selectors.length === 0 || meaningOf(phases, now.selectors) === meaningOf(phases, begun.selectors)
  return [...(isSame ? [] : now.selectors), ...flags]
}

/** The same for words that mean the same phases; words that were refused mean themselves. */
function meaningOf(phases: readonly SelectablePhase[], words: readonly string[]): string {
  const read = readSelection(words)
  if ('invalid' in read) return words.join(' ')
  const ids = namedIds(phases, mustSelect(read, phases))
  return ids === undefined ? read.kind : ids.sort(comparePhaseIds).join(' ')
}
