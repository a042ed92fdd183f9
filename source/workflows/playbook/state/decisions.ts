import { isBound, type Raise, type RaiseScope } from '../../dispatch/budgets.js'
import type { DecisionLog } from '../../dispatch/tools.js'
import type { TouchedLog } from '../../evidence/touched.js'
import type { PlaybookState } from './schema.js'

// What people decided beside the gates of the phases: budgets that were raised, and changes of agents that were
// accepted. Kept in `_meta.decisions`, oldest first.

interface Decision {
  timestamp: string
  decision: string
  choice: string
  scope?: RaiseScope
  title?: string
  names?: string[]
  phase?: string | null
}

function decisionsOf(state: PlaybookState): Decision[] {
  const { decisions } = state._meta
  return Array.isArray(decisions) ? (decisions as Decision[]) : []
}

function withDecision(state: PlaybookState, decision: Decision): PlaybookState {
  return { ...state, _meta: { ...state._meta, decisions: [...decisionsOf(state), decision] } }
}

export const decisionLog: DecisionLog<PlaybookState> = {
  raises: (state) => decisionsOf(state).flatMap(raiseOf),
  withRaise: (state, { bound, scope }, at) =>
    withDecision(state, { timestamp: at, decision: 'budget_raised', choice: bound, scope }),
}

function raiseOf({ decision, choice, scope }: Decision): Raise[] {
  return decision === 'budget_raised' && isBound(choice) && scope ? [{ bound: choice, scope }] : []
}

const plannedOrders = 'planned_orders'

/** What the plan names, and gives orders or is executed: changed in a phase, or in any. */
export function plannedOrdersOf(state: PlaybookState, only?: string): string[] {
  return decisionsOf(state).flatMap(({ decision, phase, names = [] }) =>
    decision === plannedOrders && (only === undefined || only === phase) ? names : [],
  )
}

const fewerTests = 'accepted_fewer_tests'

/** A person takes it that these tests are gone. */
export function withAcceptedTests(
  state: PlaybookState,
  phase: string,
  names: string[],
  at: string,
): PlaybookState {
  return withDecision(state, { timestamp: at, decision: fewerTests, choice: phase, names })
}

export function acceptedTests(state: PlaybookState, phase: string): string[] {
  return decisionsOf(state).flatMap(({ decision, choice, names = [] }) =>
    decision === fewerTests && choice === phase ? names : [],
  )
}

const lostWork = 'accepted_lost_work'

/** A person takes it that this work of earlier phases is gone. */
export function withAcceptedLosses(
  state: PlaybookState,
  phase: string,
  names: string[],
  at: string,
): PlaybookState {
  return withDecision(state, { timestamp: at, decision: lostWork, choice: phase, names })
}

export function acceptedLosses(state: PlaybookState, phase: string): string[] {
  return decisionsOf(state).flatMap(({ decision, choice, names = [] }) =>
    decision === lostWork && choice === phase ? names : [],
  )
}

/** What people have accepted in this run, a line each. */
export function acceptedLines(state: PlaybookState): string[] {
  return decisionsOf(state).flatMap(({ decision, choice, names = [] }) => {
    if (decision === fewerTests || decision === lostWork)
      return names.map((name) => `Phase ${choice}: ${name}`)
    return decision === 'accepted_changes' ? names.map((name) => `${choice}: ${name}`) : []
  })
}

export const touchedLog: TouchedLog<PlaybookState> = {
  withAccepted: (state, { persona, title, names }, at) =>
    withDecision(state, { timestamp: at, decision: 'accepted_changes', choice: persona, title, names }),
  putsBackAlways: (state, persona) =>
    decisionsOf(state).some(({ decision, choice }) => decision === 'puts_back_always' && choice === persona),
  withPlannedOrders: (state, { title, names }, at) =>
    withDecision(state, {
      timestamp: at,
      decision: plannedOrders,
      choice: title,
      names,
      phase: state._meta.current_phase,
    }),
  withPutBackAlways: (state, persona, at) =>
    withDecision(state, { timestamp: at, decision: 'puts_back_always', choice: persona }),
}
