import type { GivenFlags } from '../workflows/flags.js'
import type { Registry } from '../workflows/workflow.js'
import type { OpenScreen } from './open-screen.js'

export interface RunOptions {
  registry: Registry
  cwd: string
  /** A path as it was typed; without one the start screen asks. */
  input?: string
  /** What follows the input: which part of it is meant. */
  selectors?: readonly string[]
  agent?: string
  flags: GivenFlags
  /** Lines instead of the full screen, also where there is one. */
  plain: boolean
  /** It was opened before the rest was loaded; whoever did that leaves it. */
  screen?: OpenScreen | undefined
  /** The sample project of the demo was written by this program, so there is nothing to ask. */
  trusted?: boolean
  /** The project was made a moment ago, so a session of an earlier one of its name is none of its own. */
  fresh?: boolean
  /** Starts the sample project, where the person chooses that instead. */
  startDemo?: () => Promise<number>
  /** The command that resumes the session, where it is not `autopilot <input>`. */
  goOn?: string
}

/** How a run ended, or why none was begun. */
export interface End {
  exitCode: number
  lines: string[]
  /** The person chose the sample project instead. */
  demo?: boolean
}
