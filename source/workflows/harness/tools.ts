import type { SessionTools } from '../tools.js'
import type { HarnessFlags } from './flags.js'
import type { ValidateOutcome } from './validate.js'

export type { DispatchLimits } from '../tools.js'
export type { HarnessFlags } from './flags.js'

/** What the states of the harness workflow work with. Paths are relative to `root` unless named absolute. */
export interface HarnessTools extends Omit<SessionTools, 'flags'> {
  specPath: string
  slug: string
  /** `.harness/sessions/<slug>` */
  sessionDir: string
  /** Read only when a session begins; a resumed session keeps what it was started with. */
  flags: HarnessFlags
  /** Arguments of the command that runs the project's tests as it is now; undefined where there is none. */
  testCommand?(): Promise<readonly string[] | undefined>
  validate(signal: AbortSignal): Promise<ValidateOutcome>
  /** Runs `gh pr create`; undefined when gh is not installed. */
  openPullRequest?(title: string, bodyFile: string): Promise<{ ok: boolean; output: string }>
}
