import type { Budget } from './budget.js'
import type { Fact, FactTone } from './facts.js'
import type { History } from './forecast.js'
import type { Pane } from './panes.js'
import type { Answer, Evidence, Question, WaitingQuestion } from './question.js'
import type { Times } from './times.js'
import type { Usage } from './usage.js'

export type { Usage } from './usage.js'

export interface PhaseView {
  /** Unique in the session, such as `2`, `2.1` or `12A`. */
  id: string
  /** What its source calls it, if that is not its id. */
  label?: string
  name: string
  status: 'pending' | 'in-progress' | 'complete' | 'skipped' | 'failed' | 'waiting'
  facts: readonly Fact[]
}

/** One of the states that the current phase, or the end of the session, goes through. */
export interface StepView {
  id: string
  name: string
  status: 'todo' | 'current' | 'done' | 'skipped' | 'failed'
}

export interface TaskView {
  id: string
  title: string
  status: 'pending' | 'in_progress' | 'complete' | 'failed' | 'skipped'
  /** Re-dispatches after a failure. */
  retries: number
  facts: readonly Fact[]
}

/** Something that a person may ask for between two states; a key of the run screen. */
export interface Interlude {
  /** The name under which the workflow does it. */
  id: string
  /** Help text, a whole phrase. */
  label: string
  /** One or two words. */
  hint: string
}

/** Something that a review found. */
export interface FindingView {
  /** Id of the phase; absent of a review of the whole. */
  phase?: string
  severity: string
  tone: FactTone
  file: string
  /** `12` or `12-20`. */
  line?: string
  title: string
  rationale?: string
  /** What became of it, such as `overridden`. */
  fate?: string
}

/** Something that was decided, by a person or by a rule. */
export interface DecisionView {
  /** ISO time. */
  at: string
  phase?: string
  text: string
  /** The reason that was given, or what was chosen. */
  why?: string
}

/** What is known of a phase or a task beyond what agents say. */
export interface WorkView {
  phase: string
  /** Absent for the phase as a whole. */
  task?: string
  facts: readonly Fact[]
  /** Such as what a test run printed. */
  lines: readonly string[]
}

/** What a workflow says of its own state: pure data, computed from the state alone. */
export interface WorkflowView {
  workflow: string
  /** Repo-relative path that the session is about. */
  subject: string
  title: string
  /** Its slug. */
  session: string
  facts: readonly Fact[]
  state: string
  phases: readonly PhaseView[]
  /** What one of `phases` is called, with a capital. Default: `Phase`. */
  phaseWord?: string
  /** Id of one of `phases`. */
  currentPhase?: string | undefined
  /** In order. */
  steps: readonly StepView[]
  interludes: readonly Interlude[]
  /** What can be read of it now: the plan in work, the spec, the changes since something began. Read when opened. */
  documents?: readonly Evidence[]
  findings?: readonly FindingView[]
  decisions?: readonly DecisionView[]
  work?: readonly WorkView[]
  /** Work that is still to come after the last phase, such as a final review, and whose it is; absent once it is done. */
  closing?: { name: string; persona: string }
  /** Bounds of the run and of the phase in work, as they are now. */
  budgets?: readonly Budget[]
}

export interface TimelineEntry {
  /** ISO time. */
  at: string
  text: string
  kind: 'state' | 'agent' | 'gate' | 'commit' | 'note' | 'warning'
  /** Of an answer that decides something: the words that were chosen, and the question they are for. */
  answered?: { chosen: string; gate: string; title: string; note?: string | undefined } | undefined
}

/** `suspended`: held, with all agents suspended. */
export type RunStatus = 'starting' | 'running' | 'holding' | 'held' | 'suspended' | 'stopping' | 'ended'

/** Everything the run screen draws, as plain data. A new object for every change; unchanged parts keep identity. */
export interface RunSnapshot {
  view: WorkflowView
  status: RunStatus
  /** Epoch milliseconds at which it was told to stop. */
  stoppingSince?: number
  tasks: readonly TaskView[]
  /** Titles of tasks that were shown in this process, by id of the phase and of the task: `tasks` are those of one phase. */
  taskTitles?: ReadonlyMap<string, ReadonlyMap<string, string>>
  question?: Question | undefined
  /** Questions that wait behind it, in their order. */
  waiting?: readonly WaitingQuestion[]
  panes: readonly Pane[]
  /** How many agents were dispatched by id of the phase, in all visits; only the last of them have a pane. */
  dispatched?: ReadonlyMap<string, number>
  /** Grows when lines are added to any pane, so that a frame can be drawn. */
  paneRevision: number
  timeline: readonly TimelineEntry[]
  /** Where the time went, over all restarts, up to `timesAt` (epoch milliseconds). */
  times: Times
  timesAt: number
  branch?: string
  /** How the agents are run, such as `command: node agent.js`. */
  agent?: string
  usage: Usage
  /** The same by id of the phase, for phases in which agents worked. */
  phaseUsage: ReadonlyMap<string, Usage>
  /** Time at work by id of the phase, in milliseconds, up to `timesAt`. */
  phaseWork?: ReadonlyMap<string, number>
  /** What earlier sessions of this project came to; undefined until it has been read. */
  history?: History
  /** A command of the project that autopilot itself runs now, such as its tests, and since when (epoch milliseconds). */
  doing?: { text: string; since: number } | undefined
  /** A condition that needs the person's eye, such as a full disk. */
  banner?: string | undefined
  /** Where it stands and what happened since the last visit, on resume. */
  recap: readonly string[]
  /** What was shown by the workflow last: reports of gates that did not need to stop, summaries. */
  reports: readonly string[]
}

/** Read side of the store that the screen subscribes to. */
export interface RunStore {
  getSnapshot(): RunSnapshot
  subscribe(listener: () => void): () => void
}

/** A long text is read in parts, so that all of it can be reached. */
export interface LogPart {
  lines: readonly string[]
  /** From 0. */
  part: number
  parts: number
}

/** A line of a log: its number among those that begin in a part, both from 0. */
export interface LogPlace {
  part: number
  line: number
}

export interface LogQuery {
  /** In any case. */
  wanted: string
  /** To older lines, or to newer ones. */
  by: 1 | -1
  /** The line that was looked at last, or so many bytes of the log; without it its end, or its beginning. */
  from?: LogPlace | { offset: number } | undefined
}

/** What became of a message: in the conversation, in line behind the current turn, or kept for the next dispatch. */
export type Said = 'sent' | 'queued' | 'kept'

/** What keys can do to a run. `paneId` is the id of a pane whose agent works; without it, all working agents. */
export interface RunControls {
  /** Answers the open question; false if it is not open any more. */
  answer(questionId: string, answer: Answer): boolean
  /** What the open question is about may have been edited: it is asked as it is now. */
  lookAgain?(questionId: string): boolean
  /** Puts the open question behind those that wait; false if nothing waits behind it. */
  askLater?(questionId: string): boolean
  /** Hold after the current step, or go on again. */
  toggleHold(): void
  /** Suspends the agents, or lets them go on again. Without a pane the run is held as well. */
  suspend(paneId?: string): void
  /** Tells the agent something, now or at its next turn. */
  say(text: string, paneId?: string): Said
  /** Ends the turn of the agent without losing its conversation; false if there is none to end. */
  interrupt(paneId?: string): boolean
  /** Stop with the state saved. */
  stop(): void
  /** Asks for one of `view.interludes` at the next safe point. */
  interlude(id: string): void
  /** Lines of evidence whose text is not part of it. */
  readEvidence?(evidence: Evidence): Promise<readonly string[]>
  /** One part of a log, from 0 on; undefined stands for its end. */
  readLog?(path: string, part: number | undefined): Promise<LogPart>
  /** The next line of a log that holds a text; undefined where there is none, and when the signal ends it. */
  searchLog?(path: string, query: LogQuery, signal: AbortSignal): Promise<LogPlace | undefined>
  /** Absolute path of a file of the project (repo-relative) that a person may edit; undefined where it is none. */
  fileOf?(path: string): Promise<string | undefined>
}
