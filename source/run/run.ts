import type { ReplyUsage } from '../ledger/usage.js'
import type { BrokenDispatch } from '../ledger/visit.js'
import type { PaneBlock, PaneLine } from '../view/panes.js'
import type { Answer, QuestionDraft } from '../view/question.js'
import type { Times } from '../view/times.js'
import type { TaskView, TimelineEntry, Usage } from '../view/view.js'
import type { Recorded } from './recorded.js'
import type { RunningAgent } from './running-agent.js'

// The contract between state functions and the durable runner (docs/architecture.md, "Contracts").

/** Identity of one agent dispatch, and whether an earlier process of ours was interrupted in it. */
export interface DispatchHooks {
  dispatchId: string
  /** 1 for the first process of this dispatch, more after an interruption. */
  attempt: number
  /** The conversation in which an interrupted dispatch can go on, and that it was interrupted. */
  interrupted?: { sessionId?: string }
  signal: AbortSignal
  /** What the person wants this dispatch to know, oldest first. */
  messages: readonly string[]
  line(lines: PaneLine | PaneBlock, at?: number): void
  usage(usage: Usage): void
  session(sessionId: string): void
  /** Asks the person something that the working agent wants to know. Ends with the agent; a stop ends the run. */
  ask(question: QuestionDraft): Promise<Answer>
  /** Hands over what keys can do to this agent. */
  control(agent: Pick<RunningAgent, 'say' | 'suspend' | 'interrupt'>): void
}

export interface DispatchMeta {
  persona: string
  title: string
  /** Id of the phase that its tokens and cost count for. */
  phase: string
  /** Folder in which it works, repo-relative, where that is not the project itself: a worktree. */
  cwd?: string
}

/** The part of a finished dispatch that the runner itself looks at. */
export interface Reply extends ReplyUsage {
  ok: boolean
  error?: string
}

/** A finished dispatch as it was recorded, with what it has left where somebody looked. */
export type Dispatched<R> = Recorded<R> & { dispatchId: string; left?: unknown }

/**
 * What is looked at around a dispatch. Both are plain JSON, go into the journal with it, and are never looked at twice
 * (docs/evidence.md, "Snapshots").
 */
export interface Around {
  /** Before anything of it runs. */
  before(): Promise<unknown>
  /** The moment it has ended, stopped or not, before anything else is done. Gets what `before` gave, as recorded. */
  after(before: unknown): Promise<unknown>
}

/** An effect that must happen once: the intent is on disk before it, and after a crash `recover` looks for it. */
export interface Effect<Intent, Result> {
  prepare(): Promise<Intent>
  apply(intent: Recorded<Intent>, effectId: string): Promise<Result>
  /** The result if the effect did happen before the crash, else undefined. */
  recover(intent: Recorded<Intent>, effectId: string): Promise<Result | undefined>
}

/** What a gate is built from: a question, or an answer that needs nobody; `subject` is frozen with the answer. */
export type GateBuild<Subject> = { subject: Subject } & ({ question: QuestionDraft } | { settled: string })

export interface GateResult<Subject> {
  answer: Answer
  subject: Subject
}

/** The durable run that state functions work through. Keys are unique in one visit of one state. */
export interface Run<State> {
  readonly signal: AbortSignal
  /** The newest saved state. */
  readonly state: State
  /** What agents have used so far, over all restarts, in all and by the id of the phase. */
  readonly spent: { total: Usage; byPhase: ReadonlyMap<string, Usage> }
  /** Where the time of the session went so far, over all restarts. */
  readonly times: Times
  /** Does something once and remembers its JSON result, which is what comes back, also the first time. */
  step<Result>(key: string, action: () => Promise<Result> | Result): Promise<Recorded<Result>>
  effect<Intent, Result>(key: string, effect: Effect<Intent, Result>): Promise<Recorded<Result>>
  /**
   * One dispatch of one persona. The reply comes back as it was recorded, with the id of the dispatch that it came
   * from, which names its log. Several may be under way at once, each with a key of its own.
   */
  agent<R extends Reply>(
    key: string,
    meta: DispatchMeta,
    dispatch: (hooks: DispatchHooks) => Promise<R>,
    around?: Around,
  ): Promise<Dispatched<R>>
  /** Processes of this dispatch that ended without an outcome, oldest first: the same before and after its outcome. */
  broken(key: string): readonly BrokenDispatch[]
  ask(key: string, question: QuestionDraft, onStop?: (state: State) => State): Promise<Answer>
  /**
   * Asks about something that can change while the question is open. `build` runs again when the gate is opened
   * anew and once more when it is answered; if what it shows has changed, the gate is shown again instead.
   */
  gate<Subject>(
    key: string,
    build: () => Promise<GateBuild<Subject>>,
    onStop?: (state: State, subject: Subject) => State,
  ): Promise<GateResult<Subject>>
  /** Whether this gate was answered in this visit, and not with a stop: it then comes back as it was. */
  answered(key: string): boolean
  /**
   * What dispatches of this visit have left that were broken off and not sent again yet, as `Around` told it; undefined for
   * one that is only looked at when it is sent again.
   */
  brokenOff(): readonly { left?: unknown }[]
  /** Changes the saved state inside a visit. Returns the state as it was saved then, also when replayed. */
  update(key: string, change: (state: State) => State): Promise<State>
  /** A line of the timeline, once. */
  note(key: string, text: string, kind?: TimelineEntry['kind']): Promise<void>
  /** Lines that the screen keeps in view until the next report. Not kept on disk. */
  report(lines: readonly string[]): void
  tasks(tasks: TaskView[]): void
  /** A passing condition for the screen, or none. */
  banner(text: string | undefined): void
}
