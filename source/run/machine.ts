import type { Question } from '../view/question.js'
import type { WorkflowView } from '../view/view.js'
import type { Run } from './run.js'

/** Where a state function leads: the next state, computed from the newest saved state. */
export interface Transition<State> {
  change(state: State): State
  /** The workflow has nothing left to do after this transition. */
  finished?: boolean
}

/** A stop by a key, and what it finds. */
export interface StopBy<State> {
  now: Date
  /** The state file as another hand has left it, where that is not what was saved. */
  found?: State
  /** An agent was dispatched in the open visit: something of it is under way. */
  worked: boolean
  /** That hand was an agent's, which was at work when the run was stopped. */
  byAgent: boolean
}

/**
 * What the durable runner needs to know of a workflow. A state is an ordinary async function; everything it does
 * to the world goes through the run it is given (docs/architecture.md, "The idea").
 */
export interface Machine<State extends object> {
  /** Name of the workflow, recorded with every visit. */
  workflow: string
  /**
   * By the name of a state, of `INIT`, or of an interlude: rises whenever the keys that it claims, or what they mean,
   * change. A visit that was interrupted under another number is not replayed (docs/durability.md).
   */
  revisions: Record<string, number>
  /** Makes the first state of a fresh session. Runs as the state `INIT`, with the same durability as any other. */
  open(run: Run<State>): Promise<State>
  /** Looks at a stored state when a session is taken up again; says what it found through the run. */
  resume(state: State, run: Run<State>): Promise<void>
  states: Record<string, (state: State, run: Run<State>) => Promise<Transition<State>>>
  nameOf(state: State): string
  /** Pure. Before the first state exists it is called with undefined. */
  view(state: State | undefined): WorkflowView
  /** The state with the open question noted in it, or without one. */
  withQuestion(state: State, question: Question | undefined): State
  /** A finished session is gone on with when it is opened again: its last state asks what comes next. */
  reopens?: boolean
  /**
   * Another hand has edited the state file since `base` was written: both changes in one state, or undefined where they
   * do not fit and a person has to choose; with `prefer`, what does not fit is taken from that side. Pure. Without it
   * every edit is a question about the whole file.
   */
  merge?(base: State, ours: State, theirs: State, prefer?: 'ours' | 'theirs'): State | undefined
  /** The state as a person leaves it who stops the run by a key; undefined where that leaves nothing. Pure. */
  stopped?(state: State, stop: StopBy<State>): State | undefined
  /** By id: what comes between two states, such as skipping phases that are open, because a person asks for it or it is due. */
  interludes: Record<string, (state: State, run: Run<State>) => Promise<void>>
  /** The id of an interlude that has to come before this next state. Reads only; what it looks at may change at any time. */
  due?(state: State): Promise<string | undefined>
}
