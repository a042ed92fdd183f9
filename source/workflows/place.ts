/** Where a session keeps what it has. All paths are repo-relative. */
export interface Place {
  workflow: string
  /** Unique in its workflow. */
  slug: string
  /** Journal, logs, dispatch files. */
  sessionDir: string
  stateFile: string
  /** Where the version before the last save is kept; without it `<state file>.bak`. */
  backupFile?: string
  lockDir: string
}
