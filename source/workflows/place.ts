/** Where a session keeps what it has. All paths are repo-relative. */
export interface Place {
  workflow: string
  /** Unique in its workflow. */
  slug: string
  /** Journal, logs, dispatch files. */
  sessionDir: string
  stateFile: string
  lockDir: string
}
