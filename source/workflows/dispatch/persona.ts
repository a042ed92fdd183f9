import type { AgentErrorKind } from '../../agents/agent.js'
import type { Answer, QuestionOption } from '../../view/question.js'
import type { Usage } from '../../view/view.js'
import {
  boundOf,
  budgetText,
  type Raise,
  type ReachedBudget,
  reachedBudget,
  recordedBudget,
  scopeOf,
} from './budgets.js'
import { dispatchOnce } from './once.js'
import { answerAgent, qAgent, qBudget, qInterrupted, qTrustAgain, saidLines } from './questions.js'
import type { DispatchSetting } from './tools.js'
import {
  type FailedReply,
  goesOn,
  type PersonaReply,
  type PersonaRequest,
  raisesOf,
  spentBefore,
  type Tries,
  type Try,
} from './tries.js'
import { isLimit, waitForLimit } from './usage-limit.js'
import { around, settleAfter, settleOwnChanges, settleSince, sightOf, watchedDispatch } from './watched.js'

/** Conversations of one dispatch that may be full before a person is asked. */
const mostFull = 2

/** A dispatch with a valid result, and what else is known of it. */
export interface PersonaDone<Result> {
  result: Result
  dispatchId: string
  sessionId?: string
  /** Commands that it ran, where its program tells. */
  commands?: number
  /** Of these, how many have failed; absent where none has. */
  failedCommands?: number
  /** The end of what its tests or commands printed, where its program tells. */
  output?: string
  /** Its last words, and those that its result was read from, where its program tells. */
  text: string
  raw?: string
  /** What it said on the way, where `text` is nothing but its result. */
  said?: string
}

/** How an unattended dispatch ended: a failure is told, not asked about. */
export type UnattendedOutcome<Result> =
  | ({ kind: 'done' } & PersonaDone<Result>)
  | { kind: 'failed'; error: AgentErrorKind; message: string; dispatchId: string }

/** How a dispatch ended: with a valid result, or with something that the person chose instead. */
export type PersonaOutcome<Result> =
  | ({ kind: 'done' } & PersonaDone<Result>)
  | { kind: 'instead'; answer: Answer }

/** Dispatches one persona until it succeeds; the run ends with a stop otherwise. */
export async function dispatchPersona<State, Result>(
  setting: DispatchSetting<State>,
  key: string,
  request: PersonaRequest<Result>,
): Promise<PersonaDone<Result>> {
  const outcome = await dispatchOrInstead(setting, key, request)
  if (outcome.kind !== 'done') throw new Error(`nothing was offered instead of ${request.title}`)
  return outcome
}

/**
 * Dispatches one persona until it succeeds or the person decides otherwise: a failure is a gate, a usage limit a
 * countdown, a reached budget a question. Another try goes on in the same conversation where the backend can; one that
 * is full makes place for a new one, which is told what is done and what is left.
 */
export async function dispatchOrInstead<State, Result>(
  setting: DispatchSetting<State>,
  key: string,
  request: PersonaRequest<Result>,
): Promise<PersonaOutcome<Result>> {
  const outcome = await dispatchTries<State, Result>(setting, key, request, false)
  if (outcome.kind === 'failed') throw new Error(`nobody was asked about ${request.title}`)
  return outcome
}

/**
 * Dispatches one persona where nobody is there to be asked: what fails is handed back. A usage limit is a countdown, a
 * reached budget a question and an interruption of the person is asked about as with any dispatch.
 */
export async function dispatchUnattended<State, Result>(
  setting: DispatchSetting<State>,
  key: string,
  request: Omit<PersonaRequest<Result>, 'instead'>,
): Promise<UnattendedOutcome<Result>> {
  const outcome = await dispatchTries<State, Result>(setting, key, request, true)
  if (outcome.kind === 'instead') throw new Error(`nothing was offered instead of ${request.title}`)
  return outcome
}

async function dispatchTries<State, Result>(
  setting: DispatchSetting<State>,
  key: string,
  request: PersonaRequest<Result>,
  unattended: boolean,
): Promise<PersonaOutcome<Result> | UnattendedOutcome<Result>> {
  const tries: Tries = { fallback: false, full: 0, waits: 0, raises: [] }
  for (let round = 1; ; round += 1) {
    const at = round === 1 ? key : `${key}-again-${round}`
    const one: Try<State, Result> = { setting, request, key: at, again: round > 1, tries }
    const watched = await watchedDispatch(one)
    await settleSince(one, watched)
    await settleTrust(setting, at)
    await settleBudget(one)
    await settleOwnChanges(one, watched)
    const reply = await dispatchOnce(one, around(one, watched), () => sightOf(one, watched))
    await request.ended?.(at, reply.ok ? reply.result : undefined)
    await settleAfter(one, watched, reply)
    for (const spent of ['note', 'reason', 'asked'] as const) delete tries[spent]
    if (reply.ok) return { kind: 'done', ...doneOf(reply) }
    if (unattended && !isForPerson(reply)) {
      const { error, message, dispatchId } = reply
      return { kind: 'failed', error, message, dispatchId }
    }
    const chosen = await settleFailure(one, reply)
    if (chosen) return { kind: 'instead', answer: chosen }
    const { error, sessionId } = reply
    // What broke the shape of a result breaks it again; an agent that asked is answered where it is.
    const isLost = tries.fallback || (error === 'schema' && !tries.asked) || error === 'context'
    if (isLost || sessionId === undefined) delete tries.conversation
    else tries.conversation = sessionId
  }
}

function doneOf<Result>(
  reply: Extract<PersonaReply<Result>, { ok: true }> & { dispatchId: string },
): PersonaDone<Result> {
  const { result, dispatchId, sessionId, commands, failedCommands, output, text, raw, said } = reply
  return {
    result,
    dispatchId,
    text,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(commands === undefined ? {} : { commands }),
    ...(failedCommands === undefined ? {} : { failedCommands }),
    ...(output === undefined ? {} : { output }),
    ...(raw === undefined ? {} : { raw }),
    ...(said === undefined ? {} : { said }),
  }
}

/** What only a person, or time, can settle: an unattended dispatch waits for it as any other does. */
function isForPerson(reply: FailedReply): boolean {
  return isLimit(reply) || ['budget', 'turns', 'aborted', 'auth', 'billing'].includes(reply.error)
}

/** Asks what a failed try needs. Returns the answer with which the person took something else instead. */
async function settleFailure<State, Result>(
  one: Try<State, Result>,
  reply: FailedReply & { dispatchId: string },
): Promise<Answer | undefined> {
  const { setting, request, key, tries } = one
  const { run } = setting
  const instead = request.instead ?? []
  const isInstead = (answer: Answer) => instead.some((option) => option.value === answer.value)
  if (isLimit(reply)) {
    tries.waits += 1
    if ((await waitForLimit(one, reply)) === 'fallback') tries.fallback = true
    return undefined
  }
  if (reply.error === 'context') {
    tries.full += 1
    // Work that fills conversation after conversation is for somebody to look at.
    if (tries.full <= mostFull) {
      await request.full?.(key)
      return undefined
    }
  }
  if (reply.error === 'budget' || reply.error === 'turns') {
    const { budget, text } = usedUp(reply)
    await run.ask(`${key}-budget`, qBudget(text, goesOn(one, reply)))
    await raise(one, `${key}-raised`, { budget, dispatch: reply.dispatchId })
    return undefined
  }
  if (reply.error === 'aborted') {
    const question = qInterrupted(request.title, goesOn(one, reply), instead)
    const answer = await run.ask(`${key}-interrupted`, question)
    if (isInstead(answer)) return answer
    if (answer.text) tries.note = answer.text
    return undefined
  }
  return askFailed(one, reply, instead)
}

/** Anything else is for the person: another try, which is told why, or an answer to what the agent said. */
async function askFailed<State, Result>(
  one: Try<State, Result>,
  reply: FailedReply,
  instead: readonly QuestionOption[],
): Promise<Answer | undefined> {
  const { setting, request, key, tries } = one
  const { run } = setting
  const { error, message, said } = reply
  const answers = said === undefined ? [] : [answerAgent(goesOn(one, reply) && !tries.fallback)]
  const body = [`The agent did not succeed (${error}):`, ...message.split('\n'), ...saidLines(said)]
  const answer = await run.ask(`${key}-failed`, qAgent(request.failedTitle, body, [...answers, ...instead]))
  if (instead.some((option) => option.value === answer.value)) return answer
  if (answer.value === 'answer' && said !== undefined) tries.asked = { said, answer: answer.text ?? '' }
  else tries.reason = `${message} (${error})`
  return undefined
}

/** The budget that ended a try, and how it is told. Journals of 0.1.0 name it in brackets before the message. */
function usedUp(reply: FailedReply): { budget: Pick<ReachedBudget, 'name' | 'scope'>; text: string } {
  const [, prefix, text] = /^\[(\w+)\] (.*)$/s.exec(reply.message) ?? []
  const usual = {
    name: reply.error === 'turns' ? ('turns' as const) : ('usd' as const),
    scope: 'dispatch' as const,
  }
  const budget = reply.budget ?? recordedBudget({ name: prefix, limit: 0, used: 0 }) ?? usual
  return { budget, text: text ?? reply.message }
}

/** A phase or a run that has used up its budget starts nothing before somebody raises it. */
async function settleBudget<State, Result>(one: Try<State, Result>): Promise<void> {
  const { setting, request } = one
  const { run, tools } = setting
  const none: Usage = { inputTokens: 0, outputTokens: 0 }
  const spent = { ...spentBefore(run, request.phase.id), dispatch: none }
  const now = reachedBudget(tools.limits, raisesOf(one), spent)
  const key = `${one.key}-before`
  const reached = recordedBudget(await run.step(key, () => now ?? null))
  if (!reached) return
  await run.ask(key, qBudget(budgetText(reached), false))
  await raise(one, `${key}-raised`, { budget: reached, dispatch: one.key })
}

/** Puts a raise on record; one for this dispatch alone is remembered by its tries. */
async function raise<State, Result>(
  one: Try<State, Result>,
  key: string,
  what: { budget: Pick<ReachedBudget, 'name' | 'scope'>; dispatch: string },
): Promise<void> {
  const { run, tools, decisions } = one.setting
  const bound = boundOf(what.budget)
  const scope = scopeOf(bound, { dispatch: what.dispatch, phase: one.request.phase.id })
  const made: Raise = { bound, scope }
  if (scope.kind === 'dispatch') one.tries.raises.push(made)
  await run.update(key, (latest) => decisions.withRaise(latest, made, tools.now().toISOString()))
}

/** An agent may have rewritten what is executed next, itself included: nothing of it runs unasked. */
export async function settleTrust<State>(
  { run, tools }: Pick<DispatchSetting<State>, 'run' | 'tools'>,
  key: string,
): Promise<void> {
  if (!tools.changedPrograms) return
  const changed = await tools.changedPrograms()
  if (changed === null) return
  // The key names the content: an answer holds for nothing else.
  await run.ask(`${key}-trust-${changed.hash.slice(0, 12)}`, qTrustAgain(changed.lines))
  await tools.trustAgain?.()
}
