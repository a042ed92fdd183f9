import { isBound, type Raise, type RaiseScope, scopeOf } from '../../dispatch/budgets.js'
import type { DecisionLog } from '../../dispatch/tools.js'
import type { TouchedLog } from '../../evidence/touched.js'
import type { Decision, HarnessState } from './state.js'

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

/** What an entry of any seen shape says (docs/harness.md, "State migrations"). */
export function decisionText(entry: unknown): string {
  if (typeof entry === 'string') return entry
  if (typeof entry !== 'object' || entry === null) return String(entry)
  const record = entry as Record<string, unknown>
  return String(record.decision ?? record.what ?? record.action ?? JSON.stringify(entry))
}

/** Where the record keeps the budgets that were raised: `budget_raised`, with the setting's name and the scope. */
export const decisionLog: DecisionLog<HarnessState> = {
  raises: (state) => knownDecisions(state).flatMap(raiseOf),
  withRaise: (state, { bound, scope }, at) =>
    withDecision(state, {
      phase: state.currentPhase,
      decision: 'budget_raised',
      timestamp: at,
      choice: bound,
      scope,
    }),
}

/** Word for changes of what gives orders or is executed, which the plan names. */
export const plannedOrders = 'planned_orders'

/**
 * Where it keeps what was accepted of an agent's changes (`accepted_changes`, with the list in `names`), and whose changes
 * are put back without asking (`puts_back_always`).
 */
export const touchedLog: TouchedLog<HarnessState> = {
  withAccepted: (state, { persona, title, names }, at) =>
    withDecision(state, {
      phase: state.currentPhase,
      decision: 'accepted_changes',
      timestamp: at,
      choice: persona,
      rationale: `${title}: ${names.join('; ')}`,
      names,
    }),
  withPlannedOrders: (state, { title, names }, at) =>
    withDecision(state, {
      phase: state.currentPhase,
      decision: plannedOrders,
      timestamp: at,
      rationale: `${title}: ${names.join('; ')}`,
      names,
    }),
  putsBackAlways: (state, persona) =>
    knownDecisions(state).some((entry) => entry.decision === 'puts_back_always' && entry.choice === persona),
  withPutBackAlways: (state, persona, at) =>
    withDecision(state, {
      phase: state.currentPhase,
      decision: 'puts_back_always',
      timestamp: at,
      choice: persona,
    }),
}

/** Entries of 0.1.0 have no scope: a raise of then holds for the phase in which it was made, or for the run. */
function raiseOf(entry: Decision): Raise[] {
  if (entry.decision !== 'budget_raised' || !isBound(entry.choice)) return []
  const usual = scopeOf(entry.choice, { dispatch: '', phase: String(entry.phase + 1) })
  return [{ bound: entry.choice, scope: scopeIn(entry.scope) ?? usual }]
}

function scopeIn(value: unknown): RaiseScope | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { kind, id } = value as { kind?: unknown; id?: unknown }
  if (kind === 'run') return { kind }
  return (kind === 'phase' || kind === 'dispatch') && typeof id === 'string' ? { kind, id } : undefined
}
