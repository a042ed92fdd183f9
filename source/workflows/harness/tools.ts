import type { Backend, PermissionPolicy } from '../../agents/agent.js'
import type { Git } from '../../project/git.js'
import type { ValidateOutcome } from './validate.js'

/** In the order in which they first act. */
export const personas = [
  'harness-planner',
  'harness-task-executor',
  'harness-verifier',
  'harness-code-reviewer',
] as const

export interface HarnessFlags {
  fast: boolean
  thorough: boolean
  reviewPlans: boolean
}

/** Bounds that the user set; absent ones do not bind. US dollars, tokens in and out, minutes, hours. */
export interface DispatchLimits {
  wallMinutes?: number
  idleMinutes?: number
  turns?: number
  usd?: number
  phaseUsd?: number
  runUsd?: number
  tokens?: number
  phaseTokens?: number
  runTokens?: number
  maxWaitHours?: number
}

/** What the states of the harness workflow work with. Paths are relative to `root` unless named absolute. */
export interface HarnessTools {
  /** Absolute path of the project. */
  root: string
  specPath: string
  slug: string
  /** `.harness/sessions/<slug>` */
  sessionDir: string
  /** Read only when a session begins; a resumed session keeps what it was started with. */
  flags: HarnessFlags
  git: Git
  backendFor(persona: string): Backend
  /** Another backend that can go on when a usage limit is met, if the user named one. */
  fallback?: Backend
  modelFor(persona: string): string | undefined
  permissionsFor(persona: string): PermissionPolicy
  limits: DispatchLimits
  /** What would be executed, when it is not what was trusted; null when it is. Absent where nothing has to be trusted. */
  changedPrograms?(): Promise<{ hash: string; lines: string[] } | null>
  /** Records the person's consent to what is there now. */
  trustAgain?(): Promise<void>
  /** Complete environment for agent processes, without the markers that a dispatch adds. */
  environment: Record<string, string>
  runId: string
  validate(signal: AbortSignal): Promise<ValidateOutcome>
  /** Runs `gh pr create`; undefined when gh is not installed. */
  openPullRequest?(title: string, bodyFile: string): Promise<{ ok: boolean; output: string }>
  now(): Date
}
