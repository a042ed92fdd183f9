import type { Backend, PermissionPolicy } from '../agents/agent.js'
import type { AgentConfinement } from '../agents/confinement.js'
import type { CommandResult } from '../processes/commands.js'
import type { Config } from '../project/config.js'
import type { Git } from '../project/git.js'
import type { Snapshots } from './evidence/project-watch.js'
import type { GivenFlags } from './flags.js'
import type { Place } from './place.js'

/** Bounds that the user set; absent ones do not bind. US dollars, tokens in and out, minutes, hours. */
export interface DispatchLimits {
  wallMinutes?: number | undefined
  idleMinutes?: number | undefined
  turns?: number | undefined
  usd?: number | undefined
  phaseUsd?: number | undefined
  runUsd?: number | undefined
  tokens?: number | undefined
  phaseTokens?: number | undefined
  runTokens?: number | undefined
  maxWaitHours?: number | undefined
  testMinutes?: number | undefined
}

export interface CommandLimits {
  timeoutMs: number
  /** Bytes that are kept of the output. */
  outputCap: number
  signal?: AbortSignal
  /** Added to its environment. */
  env?: Record<string, string>
  /** It has the project's influence, such as its tests: it runs as confined as an executor. Default: false. */
  isOfProject?: boolean
  /** Repo-relative folder in which it runs. Default: the project itself. */
  cwd?: string
}

/** What a session gives to the states of any workflow. */
export interface SessionTools {
  /** Absolute path of the project. */
  root: string
  /** Repo-relative path that the session is about. */
  subject: string
  place: Place
  /** As they were given. Read only when a session begins; a resumed one keeps what it was begun with. */
  flags: GivenFlags
  /** Words behind the input, as they were typed: which part of it is meant now. */
  selectors?: readonly string[]
  config: Config
  git: Git
  backendFor(persona: string): Backend
  /** Another backend that can go on when a usage limit is met, if the user named one. */
  fallback?: Backend
  modelFor(persona: string): string | undefined
  permissionsFor(persona: string): PermissionPolicy
  limits: DispatchLimits
  /** Throws instead of letting something be started when what is executed is not what was trusted. */
  guard?(): Promise<void>
  /** How agents are confined here; absent where they are not. */
  confinement?: AgentConfinement
  /** What would be executed, when it is not what was trusted; null when it is. Absent where nothing has to be trusted. */
  changedPrograms?(): Promise<{ hash: string; lines: string[] } | null>
  /** Records the person's consent to what is there now. */
  trustAgain?(): Promise<void>
  /** Complete environment for agent processes, without the markers that a dispatch adds. */
  environment: Record<string, string>
  runId: string
  /** How the project is seen around each dispatch. */
  snapshots: Snapshots
  /** Runs a program in the project, with the marker of this run. */
  command(argv: readonly string[], limits: CommandLimits): Promise<CommandResult>
  now(): Date
}
