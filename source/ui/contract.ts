import type { Answer, Question } from '../view/question.js'
import type { SessionSummary } from '../view/summary.js'
import type { RunControls, RunStore } from '../view/view.js'

/** What the start screen reads of the summary of a session. */
type ListedSummary = Pick<
  SessionSummary,
  'session' | 'workflow' | 'subject' | 'state' | 'phase' | 'progress' | 'finished'
>

/** One unfinished or finished session, as the start screen lists it. */
export interface StartSession extends ListedSummary {
  /** Names it in a choice; unique over all workflows. */
  key: string
  /** What its subject calls itself. */
  title?: string | undefined
  /** Already formatted, such as `2h ago`. */
  lastActive: string
  /** A living process owns it. */
  live: boolean
  /** The open question, if one waits. */
  question: { title: string; body?: readonly string[] } | null
}

/** Something that a session could be begun for. */
export interface StartCandidate {
  workflow: string
  /** Repo-relative. */
  subject: string
  title: string
  /** Such as `3 phases`. */
  size: string
  /** One line more for the one under the cursor. */
  detail: string
}

/** Everything the start screen shows; sessions come newest first. */
export interface StartData {
  project: string
  sessions: StartSession[]
  candidates: StartCandidate[]
  notices: string[]
  /** What was looked for, one line for each kind of work; told where nothing was found. */
  lookedFor: readonly string[]
}

export type StartChoice =
  | { kind: 'session'; key: string }
  /** A candidate of a workflow, or a path that was typed. */
  | { kind: 'subject'; path: string; workflow?: string }
  /** The sample project. */
  | { kind: 'demo' }
  | { kind: 'quit' }

/** `stop`: save the state and end. `kill`: end the agents now. `gone`: the same, since there are no keys any more. */
export type QuitKind = 'stop' | 'kill' | 'gone'

/** The one screen of the program. Only one of `choose`, `ask`, `watch`, `busy`, `done` is shown at a time. */
export interface Ui {
  /** Start screen: what to work on. Ctrl+C and `q` choose `quit`. */
  choose(data: StartData): Promise<StartChoice>
  /** A question that is asked before a run exists, such as trust or a take-over. Ctrl+C and `q` give `quit`. */
  ask(question: Question, header: string): Promise<Answer | 'quit'>
  /** The run screen, until another screen is shown or `finish`. */
  watch(store: RunStore, controls: RunControls): void
  /** Calls a person who looks away, in our own words; undefined when that is over. Quiet is the title of the window alone. */
  alert?(text: string | undefined, quiet?: boolean): void
  /** A spinner and one line, between screens. */
  busy(text: string): void
  /** Result of a finished run, until Enter, Escape, `q` or Ctrl+C. */
  done(title: string, lines: string[]): Promise<void>
  /**
   * `q` and the first Ctrl+C on the run screen (or while busy) are `stop`; any further Ctrl+C is `kill`.
   * Returns a function that removes the listener.
   */
  onQuit(listener: (how: QuitKind) => void): () => void
  /** As one Ctrl+C. */
  interrupt(): void
  /** Unmounts, restores the terminal and prints the lines in the normal buffer. Safe to call twice. */
  finish(summary: string[]): Promise<void>
}
