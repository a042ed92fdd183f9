import type { Pane } from './panes.js'
import type { Question } from './question.js'

export interface PhaseView {
  /** 1-based. */
  number: number
  name: string
  complexity: 'low' | 'medium' | 'high'
  /** Raised complexity, if the plan was larger than its complexity suggested. */
  override?: 'medium' | 'high'
  status: 'pending' | 'in-progress' | 'complete' | 'skipped'
}

export interface StepView {
  name: string
  status: 'done' | 'current' | 'todo'
}

export interface TaskView {
  id: string
  title: string
  status: 'pending' | 'in_progress' | 'complete' | 'failed'
  /** Re-dispatches after a failure. */
  retries: number
  checkpoint?: string
}

/** What a workflow says of its own state: pure data, computed from the state alone. */
export interface WorkflowView {
  workflow: 'harness' | 'playbook' | 'lifecycle'
  /** Repo-relative path of the spec, roadmap or document folder. */
  spec: string
  title: string
  session: string
  rigor: string
  state: string
  phases: PhaseView[]
  /** 0-based index into `phases`. */
  currentPhase: number
  /** The states of the current phase (or of the closing part), in order. */
  steps: StepView[]
}

export interface Usage {
  inputTokens: number
  outputTokens: number
  /** US dollars; absent when no backend reported a cost. */
  usd?: number
}

export interface TimelineEntry {
  /** ISO time. */
  at: string
  text: string
  kind: 'state' | 'agent' | 'gate' | 'commit' | 'note' | 'warning'
}

/** `suspended`: held at once, with the processes of the agent stopped. */
export type RunStatus = 'starting' | 'running' | 'holding' | 'held' | 'suspended' | 'stopping' | 'ended'

/** Everything the run screen draws, as plain data. A new object for every change; unchanged parts keep identity. */
export interface RunSnapshot {
  view: WorkflowView
  status: RunStatus
  /** Epoch milliseconds at which it was told to stop. */
  stoppingSince?: number
  tasks: TaskView[]
  question?: Question
  panes: readonly Pane[]
  /** Grows when lines are added to any pane, so that a frame can be drawn. */
  paneRevision: number
  timeline: readonly TimelineEntry[]
  /** Epoch milliseconds; the time since then is the time in which the session was driven, over all restarts. */
  startedAt: number
  branch?: string
  /** How the agents are run, such as `command: node agent.js`. */
  agent?: string
  usage: Usage
  /** The same by phase id, for phases in which agents worked. */
  phaseUsage: ReadonlyMap<string, Usage>
  /** A condition that needs the person's eye, such as a full disk. */
  banner?: string
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

/** What became of a message: in the conversation, in line behind the current turn, or kept for the next dispatch. */
export type Said = 'sent' | 'queued' | 'kept'

/** What keys can do to a run. */
export interface RunControls {
  /** Answers the open question; false if it is not open any more. */
  answer(questionId: string, answer: import('./question.js').Answer): boolean
  /** Hold after the current step, or go on again. */
  toggleHold(): void
  /** Hold at once, with the agent's processes suspended, or go on again. */
  suspend(): void
  /** Tells the agent something, now or at its next turn. */
  say(text: string): Said
  /** Ends the turn of the running agent without losing its conversation; false if there is none to end. */
  interrupt(): boolean
  /** Stop with the state saved. */
  stop(): void
  /** Ask to skip or reorder open phases at the next safe point. */
  reorder(): void
}
