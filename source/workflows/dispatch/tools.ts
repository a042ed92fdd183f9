import type { Run } from '../../run/run.js'
import type { DispatchGround } from '../evidence/ground.js'
import type { TouchedLog } from '../evidence/touched.js'
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
  | 'snapshots'
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
  grounds: DispatchGrounds<State>
}

/** What the dispatches of a workflow may change, and what is theirs to leave alone (docs/evidence.md). */
export interface DispatchGrounds<State> {
  /** Of one dispatch, by its persona and the fields of its dispatch file. */
  of(persona: string, brief: Record<string, unknown>): Promise<DispatchGround>
  /**
   * Paths that were dirty before the work began and whose changes nobody has handed over. Asks git: only to be called
   * where what git would execute is trusted.
   */
  beforehand(): Promise<readonly string[]>
  /** The person hands these paths over, with the changes that were in them before. `key` is unique in the visit. */
  handOver(key: string, paths: readonly string[]): Promise<void>
  /** Where what a person decided about changes is kept. */
  log: TouchedLog<State>
}
