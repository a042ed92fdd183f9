import { shown } from '../../documents/spec-unread.js'
import type { HarnessState, Phase, RigorLevel } from './state/state.js'

// Which phase is worked on, and which comes next: pure.

/** The phase that a state works on. */
export interface PhaseContext {
  /** 0-based, as in the state file. */
  index: number
  /** 1-based, as on the screen and in file names. */
  number: number
  /** The number as text: how the run, panes and budgets name the phase. */
  id: string
  name: string
  /** The phase as the state file has it. */
  record: Phase
  total: number
  /** What the spec calls it, else its number: `2`, `0`, `2.1`. */
  mark: string
  /** `Phase 2: Rule engine`, with its mark; a long name is cut. */
  label: string
  rigor: RigorLevel
}

/** The current phase of a state. @throws when the state has none, which opening a session rules out. */
export function currentPhase(state: HarnessState): PhaseContext {
  const record = state.phases[state.currentPhase]
  if (!record) throw new Error(`the state has no phase ${state.currentPhase + 1}`)
  const number = state.currentPhase + 1
  return {
    index: state.currentPhase,
    number,
    id: String(number),
    name: record.name,
    record,
    total: state.phases.length,
    mark: phaseMark(record, state.currentPhase),
    label: phaseTitle(record, state.currentPhase),
    rigor: state.rigorLevel,
  }
}

/** What people and prompts call a phase (0-based place): the spec's own label, else its number. */
export function phaseMark({ specLabel }: Pick<Phase, 'specLabel'>, index: number): string {
  return specLabel ?? String(index + 1)
}

/** `Phase 2.1: Rule engine`, with a name that is longer than a screen shows cut. */
export function phaseTitle(phase: Pick<Phase, 'specLabel' | 'name'>, index: number): string {
  return `Phase ${phaseMark(phase, index)}: ${shown(phase.name)}`
}

/** The same of a place in a state that may have no such phase. */
export function phaseMarkAt({ phases }: Pick<HarnessState, 'phases'>, index: number): string {
  return phaseMark(phases[index] ?? {}, index)
}

/** As commits call a phase: by its place from 1, whatever its label in the spec is. */
export function phaseInCommits({ number, name }: Pick<PhaseContext, 'number' | 'name'>): string {
  return `Phase ${number}: ${shown(name)}`
}

/** A phase that nobody has worked on. */
export function newPhase(given: Pick<Phase, 'name' | 'complexity' | 'specLabel' | 'specText'>): Phase {
  return { ...given, complexityOverride: null, planPath: null, status: 'pending' }
}

/** A copy of the state with one phase changed. `index` is 0-based. */
export function withPhase(state: HarnessState, index: number, change: Partial<Phase>): HarnessState {
  return {
    ...state,
    phases: state.phases.map((phase, at) => (at === index ? { ...phase, ...change } : phase)),
  }
}

/** The phase is planned again: a vanished plan file clears its path and what was derived from it. */
export function planAgain(state: HarnessState, index: number): HarnessState {
  return {
    ...withPhase(state, index, { planPath: null, complexityOverride: null }),
    currentState: 'ASSESS',
  }
}

export function effectiveComplexity(phase: Phase): Phase['complexity'] {
  return phase.complexityOverride ?? phase.complexity
}

/** A phase as prompts list it: its place from 1, and what it is called. */
export interface ListedPhase {
  number: number
  label: string
  name: string
  status: string
}

/** Every phase, in order. */
export function phaseList(state: HarnessState): ListedPhase[] {
  return state.phases.map((phase, index) => {
    const { name, status } = phase
    return { number: index + 1, label: phaseMark(phase, index), name, status }
  })
}

/** Whether a phase still has to be worked on. */
export function isOpen(phase: Pick<Phase, 'status'>): boolean {
  return phase.status !== 'complete' && phase.status !== 'skipped'
}

/**
 * The 0-based place of the next phase that is neither complete nor skipped: the first one after `after`, else the
 * first of all. Undefined when none is open.
 */
export function nextOpenPhase(
  state: { phases: readonly Pick<Phase, 'status'>[] },
  after = -1,
): number | undefined {
  const behind = state.phases.findIndex((phase, index) => index > after && isOpen(phase))
  if (behind !== -1) return behind
  const first = state.phases.findIndex((phase, index) => index !== after && isOpen(phase))
  return first === -1 ? undefined : first
}
