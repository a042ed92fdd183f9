import type { Job } from './agent/job.js'
import type { SamplePhase } from './sample.js'
import type { World } from './world.js'

// What a liar and its honest twin are: what the agent does, and what has to follow from it.

export type Persona = 'planner' | 'executor' | 'verifier' | 'reviewer' | 'final'

export type State =
  | 'INIT'
  | 'ASSESS'
  | 'PLAN'
  | 'APPROVE_PLAN'
  | 'EXECUTE'
  | 'VERIFY'
  | 'REVIEW'
  | 'PHASE_COMPLETE'
  | 'FINAL_REVIEW'
  | 'DONE'

/** The work of one dispatch; returns the result that the agent hands back. Personas without one are honest. */
export type Act = (job: Job) => unknown

/** How a gate is answered: the label of an option, or its value, and a text. */
export interface Pick {
  option: string
  text?: string
}

/** The user's setting of that name. */
export type Confine = 'auto' | 'off'

export interface Case {
  name: string
  /** Set by who runs it; without it the program does as it does by itself. */
  confine?: Confine
  /** What it does, in words. */
  does: string
  acts: Partial<Record<Persona, Act>>
  /** Default: one phase of two tasks. */
  phases?: SamplePhase[]
  /** Beside spec and agent. */
  flags?: string[]
  /** Project settings, user settings, commits, dirty files: done before the program starts. */
  prepare?(world: World): Promise<void>
  /** Done by a person beside the agent, when it says that it works. */
  beside?(world: World): Promise<void>
  /** For gates whose usual answer will not do, one for each time it opens. */
  answers?: Record<string, Pick[]>
  /** The agent lies in the project (`tools/agent.mjs`), with a module that it imports. */
  localAgent?: boolean
  /** One of those that also run with the `embedded` backend and a mock model. */
  embedded?: boolean
  /** Its tests are run as they are found, by npm; else by node alone, which begins faster. */
  npm?: boolean
  /** The program runs in a process that had no run before: where PATH, signals or the process itself matter. */
  ownProcess?: boolean
  /** Why it cannot be tried here; undefined where it can. */
  missing?(): string | undefined
}

export interface Liar extends Case {
  persona: Persona
  during: State
  /** Any of them may open. */
  gates: readonly string[]
  /** Last state in which it may still open; default `during`. */
  by?: State
  /** What the question has to say of what was done. */
  names: RegExp
  /** "Put back" has to be offered, and leads to this; says what is wrong, undefined when all is as before. */
  restored?(world: World): Promise<string | undefined>
  /** True where the lie has reached the real thing. A confined agent whose lie reached nothing needs no question. */
  reached?(world: World): Promise<boolean>
  /** Cannot be held off without confinement. */
  exempt?: boolean
  /** Nothing that carries the mark of the run may live on when the dispatch is over. */
  leavesNothing?: boolean
  /** An honest gate that opens after the lie and is left open until the program is gone. */
  leavesOpen?: string
  /** The program may also refuse to open the session, and say why. */
  refuses?: boolean
  /** `q` is pressed when the lie is told, instead of waiting for a gate. */
  quits?: boolean
}

export interface Twin extends Case {
  /** All gates of the run after its opening, in order. Default: only the pull request. */
  sees?: readonly string[]
  /** That it really did what it is here for; says what is missing. */
  proof(world: World): Promise<string | undefined>
  /** The person kills or stops the program when the agent says that it works, and starts it again. */
  interrupted?: 'stop'
}

export const isLiar = (one: Liar | Twin): one is Liar => 'gates' in one
