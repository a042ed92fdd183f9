import type { Backend } from '../../agents/agent.js'
import type { Git } from '../../project/git.js'
import type { ValidateOutcome } from '../../project/validate.js'

export interface HarnessFlags {
  fast: boolean
  thorough: boolean
  reviewPlans: boolean
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
  /** Complete environment for agent processes, without the markers that a dispatch adds. */
  environment: Record<string, string>
  runId: string
  validate(signal: AbortSignal): Promise<ValidateOutcome>
  /** Runs `gh pr create`; undefined when gh is not installed. */
  openPullRequest?(title: string, bodyFile: string): Promise<{ ok: boolean; output: string }>
  now(): Date
}
