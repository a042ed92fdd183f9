import type { Run } from '../../run/run.js'
import type { SessionTools } from '../tools.js'
import type { PersonaSpec } from '../workflow.js'
import type { Raise } from './budgets.js'

/** What a dispatch needs of the session it belongs to. */
export type DispatchTools = Pick<
  SessionTools,
  | 'root'
  | 'place'
  | 'backendFor'
  | 'fallback'
  | 'modelFor'
  | 'permissionsFor'
  | 'limits'
  | 'guard'
  | 'confinement'
  | 'changedPrograms'
  | 'trustAgain'
  | 'environment'
  | 'runId'
  | 'now'
>

/** Where a workflow keeps the decisions that dispatches depend on, as pure functions of its state. */
export interface DecisionLog<State> {
  /** Every budget that a person raised, once per raise. */
  raises(state: State): readonly Raise[]
  /** The state with one more raise on record; `at` is an ISO time. */
  withRaise(state: State, raise: Raise, at: string): State
}

/** What a workflow gives this room once: the run, the session, its personas and where its decisions are. */
export interface DispatchSetting<State> {
  run: Run<State>
  tools: DispatchTools
  /** Name of the workflow, as the dispatch file says it. */
  workflow: string
  personas: Readonly<Record<string, PersonaSpec>>
  decisions: DecisionLog<State>
}
