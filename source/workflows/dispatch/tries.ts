import type { AgentEvent, AgentTask, DispatchReply } from '../../agents/agent.js'
import type { Run } from '../../run/run.js'
import type { QuestionOption } from '../../view/question.js'
import type { Usage } from '../../view/view.js'
import { type Raise, type ReachedBudget, raisesInPhase } from './budgets.js'
import type { DispatchSetting } from './tools.js'

/** How a dispatch begins. */
export interface DispatchBegin {
  /** An earlier process of this dispatch was broken off, and its conversation cannot be continued. */
  interrupted: boolean
  /** What the person wants the agent to know. */
  note?: string
}

/** One persona's work, as a state hands it over. */
export type PersonaRequest<Result> = Omit<
  AgentTask<Result>,
  'workflow' | 'prompt' | 'wallMs' | 'attempt' | 'phase'
> & {
  /** The phase that pays for it: its id, and the 1-based number that the agent is told. */
  phase: { id: string; number: number }
  /** Repo-relative folder in which it works, where that is not the project itself. */
  cwd?: string
  attempt?: number
  /** An earlier conversation in which it begins, where the backend can go on in one. */
  conversation?: string
  prompt(begin: DispatchBegin): string
  /** Why it is dispatched once more, where an earlier dispatch of the same work did not count. */
  reason?: string
  /** What is done and what is left of the work, for a conversation that begins anew in the middle of it. */
  remaining?(): string
  /**
   * The moment a try has ended, before anything is saved or asked: what it has left in the state file is settled. The
   * result is what it reports, if it reports one.
   */
  ended?(key: string, result: Result | undefined): Promise<void>
  /** A conversation is full, and a new one takes its place. */
  full?(key: string): Promise<void>
  /** Follows what the agent does while it works. Never the ground of a decision: a replay does not see it. */
  event?(event: AgentEvent): void
  /** How the gate names this work when it fails. */
  failedTitle: string
  /** What the person may choose in place of another try. */
  instead?: readonly QuestionOption[]
}

/** A reply as it is recorded, with what was used up, if that ended it. */
export type PersonaReply<Result> = DispatchReply<Result> & { budget?: ReachedBudget }
export type FailedReply = Extract<PersonaReply<unknown>, { ok: false }>

/** What the tries of one dispatch hand on to the next. */
export interface Tries {
  /** Conversation to go on in. */
  conversation?: string
  fallback: boolean
  /** Conversations that were full, in a row. */
  full: number
  /** Countdowns in a row. */
  waits: number
  /** A word of the person for the next try. */
  note?: string
  /** Why the try before did not count. */
  reason?: string
  /** What the agent said in place of a result, and the person's answer. */
  asked?: { said: string; answer: string }
  /** Budgets that were raised for this dispatch alone. */
  raises: Raise[]
}

/** One try of a dispatch. `key` is its key in the visit; `again` is true from the second one on. */
export interface Try<State, Result> {
  setting: DispatchSetting<State>
  request: PersonaRequest<Result>
  key: string
  again: boolean
  tries: Tries
}

/** Bounds that were raised and hold for this try: those on record for the phase and the run, and its own. */
export function raisesOf<State, Result>(one: Try<State, Result>): Raise[] {
  const { setting, request, tries } = one
  const recorded = setting.decisions.raises(setting.run.state)
  return [...raisesInPhase(recorded, request.phase.id), ...tries.raises]
}

/** What was used before this try, in its phase and in the run. */
export function spentBefore(run: Pick<Run<unknown>, 'spent'>, phase: string) {
  const none: Usage = { inputTokens: 0, outputTokens: 0 }
  return { phase: run.spent.byPhase.get(phase) ?? none, run: run.spent.total }
}

/** Whether the next try can go on in the conversation of this one; others are sent anew. */
export function goesOn<State, Result>(
  { setting, request, tries }: Try<State, Result>,
  { sessionId }: Pick<FailedReply, 'sessionId'>,
): boolean {
  const { tools } = setting
  const backend = (tries.fallback ? tools.fallback : undefined) ?? tools.backendFor(request.persona)
  return backend.caps.resume && sessionId !== undefined
}
