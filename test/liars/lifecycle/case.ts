import type { Confine, Pick } from '../case.js'
import type { World } from '../world.js'
import type { LifeJob } from './job.js'

// A worker of the lifecycle that lies once, and one that does the same kind of thing with good reason.

/** Where the project stands when the program is started; the folders and the rows of the steps before are there. */
export interface Position {
  flow: 'greenfield' | 'existing-code'
  step: string
}

/** The work of one dispatch; returns the result that the worker hands back. */
export type LifeAct = (job: LifeJob) => unknown

export interface LifeCase {
  name: string
  confine?: Confine
  does: string
  at: Position
  /** By name of the step. Every other step ends at a gate that the test knows as the end. */
  acts: Record<string, LifeAct>
  /** Files before the first commit, beside those of the steps that are done; undefined takes one away. */
  files?: Record<string, string | undefined>
  /** Changes the text of the state file before the first commit. */
  state?(text: string): string
  prepare?(world: World): Promise<void>
  beside?(world: World): Promise<void>
  answers?: Record<string, Pick[]>
  /** Its tests are run by npm, with a report. */
  npm?: boolean
  missing?(): string | undefined
}

export interface LifeLiar extends LifeCase {
  gates: readonly string[]
  /** What the question has to say of what was done. */
  names: RegExp
  restored?(world: World): Promise<string | undefined>
  /** True where the lie has reached the real thing. A confined worker whose lie reached nothing needs no question. */
  reached?(world: World): Promise<boolean>
  exempt?: boolean
  /** The program may also end, and say why. */
  refuses?: boolean
  leavesNothing?: boolean
}

export interface LifeTwin extends LifeCase {
  /** Gates between the start of the first step and the end, in order. Default: none. */
  sees?: readonly string[]
  proof?(world: World): Promise<string | undefined>
}

export const isLifeLiar = (one: LifeLiar | LifeTwin): one is LifeLiar => 'gates' in one
