import type { PlaybookPhase } from '../../documents/playbook-roadmap.js'
import type { Git } from '../../project/git.js'
import type { DetectedProject } from '../../project/project-commands.js'
import type { SessionTools } from '../tools.js'
import type { ProjectCommands } from './orders/fields.js'
import type { SelectablePhase } from './selection/select.js'
import type { PlaybookSettings } from './settings.js'

/** What the states of this workflow work with. */
export interface PlaybookTools extends SessionTools {
  /** Repo-relative. */
  roadmapPath: string
  /** As the roadmap was when the session was opened: names for the screen, nothing that decides. */
  outline: ReadonlyMap<string, PlaybookPhase>
  /** The same phases as the runs before this one have left them, in the order of their ids: for the screen, too. */
  before: readonly SelectablePhase[]
  /** Limits and switches of the project's planning configuration. */
  settings: PlaybookSettings
  /** Repo-relative, where there is one: what was learned in this run. */
  learningsPath(): Promise<string | null>
  /** Repo-relative, where the project has one. */
  repoMapPath(): string | undefined
  /** Whether a model does the work of a persona; a script is not doubted for being quick. */
  isModel(persona: string): boolean
  /** The repository as it is seen from a worktree of it; repo-relative. */
  gitAt(worktree: string): Git
  /** What the project is, and the manifest that says so. */
  project: { type: string; manifest: string | null }
  /** What its first manifest shows, whatever the project says of itself. */
  detected: DetectedProject
  /** The commands of the project as they are now. */
  commands(): ProjectCommands
}
