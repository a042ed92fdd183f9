import { type PhaseRecord, type PlaybookState, phaseSchema, type StepName, stepNames } from './schema.js'

// Phases of a state, by their ids. Pure.

const keyOf = (id: string) => `phase_${id}`

export const idOfKey = (key: string) => key.replace(/^phase_/, '')

export function newPhase(): PhaseRecord {
  return phaseSchema.parse({})
}

/** The record of a phase; one that nothing is known of has not been started. */
export function phaseOf(state: PlaybookState, id: string): PhaseRecord {
  return state.phases[keyOf(id)] ?? newPhase()
}

export function phaseIds(state: PlaybookState): string[] {
  return Object.keys(state.phases).map(idOfKey)
}

export function withPhase(
  state: PlaybookState,
  id: string,
  change: (phase: PhaseRecord) => PhaseRecord,
): PlaybookState {
  return { ...state, phases: { ...state.phases, [keyOf(id)]: change(phaseOf(state, id)) } }
}

export type StepRecord<Name extends StepName> = PhaseRecord['steps'][Name]

/** A phase with one of its steps changed. */
export function withStep<Name extends StepName>(
  phase: PhaseRecord,
  name: Name,
  change: Partial<StepRecord<Name>>,
): PhaseRecord {
  return { ...phase, steps: { ...phase.steps, [name]: { ...phase.steps[name], ...change } } }
}

/** Steps as nobody has done them. */
export function freshSteps(
  from: StepName = 'preflight',
  before?: PhaseRecord['steps'],
): PhaseRecord['steps'] {
  const fresh = newPhase().steps
  if (before === undefined) return fresh
  const kept = stepNames.slice(0, stepNames.indexOf(from)).map((name) => [name, before[name]])
  return { ...fresh, ...Object.fromEntries(kept) }
}

/** Phases of this status, in the order of the state. */
export function phasesWith(state: PlaybookState, status: PhaseRecord['status']): string[] {
  return phaseIds(state).filter((id) => phaseOf(state, id).status === status)
}
