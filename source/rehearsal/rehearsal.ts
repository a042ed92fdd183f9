// What a demo consists of: a sample project, and a scripted agent that works in it.

export interface Rehearsal {
  /** Plays one dispatch of the scripted agent. */
  rehearse(stage: RehearsalStage): Promise<void>
  sample: {
    /** Repo-relative path that the sample session is about. */
    subject: string
    /** Writes the sample project into an empty or absent folder and commits it there. */
    create(dir: string): Promise<unknown>
  }
}

export interface RehearsalStage {
  env: NodeJS.ProcessEnv
  cwd: string
  /** The whole prompt; only its length is used, the dispatch file says the rest. */
  prompt: Promise<string>
  write(line: string): void
}
