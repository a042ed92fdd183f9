import type { AgentPool } from '../agents/pool.js'
import type { SessionStore } from '../ledger/session-store.js'
import type { Config } from '../project/config.js'
import type { Ui } from '../ui/ui.js'
import type { GivenFlags } from '../workflows/flags.js'
import type { Place } from '../workflows/place.js'
import type { SessionConfinement } from './confinement.js'
import type { SessionAt } from './session.js'

/** A session that is opened, with everything that its run needs. */
export interface SessionRun<State extends object> extends SessionAt<State> {
  /** Repo-relative path that the session is about. */
  subject: string
  flags: GivenFlags
  /** Words behind the input: which part of it is meant. */
  selectors?: readonly string[]
  config: Config
  agents: AgentPool
  /** Value of `--agent`, kept for the next time; and the command that resumes the session. */
  agent?: string
  goOn: string
  /** Directories of all workflows' sessions. */
  ownPaths: readonly string[]
  /** Programs that some workflow starts, as the trust question named them. */
  programs: readonly string[]
  /** The sessions of the same workflow in this project. */
  places?(): Promise<Place[]>
  /** Everything that runs comes with this program, so nothing is compared with what was trusted. */
  trusted?: boolean
  /** How agents are kept to what they may do, or why not. */
  confinement?: SessionConfinement
  store: SessionStore<State>
  notices: string[]
  ui: Ui
  /** Aborts when a signal ends the program; the reason names it. */
  interrupt?: AbortSignal
}

export interface SessionEnd {
  exitCode: 0 | 1 | 3
  lines: string[]
  /** The person ended this run to begin another one at once. */
  anew?: boolean
}
