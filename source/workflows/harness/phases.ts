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
  /** `Phase 2: Rule engine` */
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
    label: `Phase ${number}: ${record.name}`,
    rigor: state.rigorLevel,
  }
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

/** Number, name and status of every phase, in order, as prompts list them. */
export function phaseList(state: HarnessState): { number: number; name: string; status: string }[] {
  return state.phases.map(({ name, status }, index) => ({ number: index + 1, name, status }))
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
