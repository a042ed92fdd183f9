import { counted } from '../../counted.js'
import type { AgentEvent } from '../agent.js'
import { type Fields, fieldsOf, listIn, numberIn, textIn } from '../fields.js'
import { without, withValue } from '../read-only-map.js'
import { classifyCodexError, isAuthFailure, readRetry, retryCaps, type TurnFailure } from './codex-errors.js'
import { clipOutput, toolOfItem } from './codex-items.js'
import { limitRejected, noRateLimits, type RateLimits, updateRateLimits } from './codex-limits.js'
import { type Counted, countedOf, minus, usageSince } from './codex-usage.js'
import { errorOf, textsOf } from './codex-values.js'

// Notifications of codex app-server as events (docs/agents.md, "Codex"). No process, no clock of its own.

/** How codex says that a turn ended. */
export type TurnVerdict =
  | { status: 'completed'; text: string }
  | { status: 'interrupted' }
  | { status: 'failed'; failure: TurnFailure }

/** What is known of the thread, and of its turn that was asked for last. */
export interface ThreadState {
  /** The thread that is ours, once it is known. */
  threadId?: string
  limits: RateLimits
  /** What each thread had used when it was last billed. */
  billed: ReadonlyMap<string, Counted>
  /** False before the first turn. */
  hasBegun: boolean
  turn: TurnState
}

interface TurnState {
  id?: string
  isOpen: boolean
  items: ReadonlyMap<string, Fields>
  /** What commands that run have printed. */
  outputs: ReadonlyMap<string, string>
  said?: string
  diff: string
  /** Retries in a row. */
  retries: number
  /** Calls of the model. */
  calls: number
  /** Set when the turn is over. */
  verdict?: TurnVerdict
  /** Codex goes on although it is no use: refused keys, a network that is not there, too many turns. */
  hopeless?: TurnFailure
}

const quietTurn: TurnState = {
  isOpen: false,
  items: new Map(),
  outputs: new Map(),
  diff: '',
  retries: 0,
  calls: 0,
}

export const beforeThread: ThreadState = {
  limits: noRateLimits,
  billed: new Map(),
  hasBegun: false,
  turn: quietTurn,
}

export interface ThreadSetting {
  cwd: string
  now(): number
  /** The thread had turns before, which are not billed again. */
  isResumed: boolean
  /** Model calls of one turn, where they are limited. */
  maxCalls?: number
}

type Read = [ThreadState, AgentEvent[]]

/** A turn was asked for. */
export function beginTurn(state: ThreadState): ThreadState {
  return { ...state, hasBegun: true, turn: { ...quietTurn, isOpen: true } }
}

/** Id of the running turn, from the answer to its start or from the notification: whichever is first. */
export function nameTurn(state: ThreadState, id: string | undefined): ThreadState {
  return id === undefined || state.turn.id !== undefined ? state : withTurn(state, { id })
}

export function openTurnId({ turn }: ThreadState): string | undefined {
  return turn.isOpen ? turn.id : undefined
}

export function itemOf({ turn }: ThreadState, id: string | undefined): Fields | undefined {
  return id === undefined ? undefined : turn.items.get(id)
}

/** Reads one notification. Never throws, and ignores what it does not know. */
export function readNotification(
  state: ThreadState,
  method: string,
  params: Fields,
  setting: ThreadSetting,
): Read {
  switch (method) {
    case 'turn/started': {
      const isNamed = state.turn.isOpen && isOurs(state, params)
      return [isNamed ? nameTurn(state, textIn(fieldsOf(params.turn), 'id')) : state, []]
    }
    case 'turn/completed':
      return readCompleted(state, params, setting.now())
    case 'item/started':
      return readItem(state, params, { over: false, cwd: setting.cwd })
    case 'item/completed':
      return readItem(state, params, { over: true, cwd: setting.cwd })
    case 'item/agentMessage/delta':
      return readDelta(state, params, 'text')
    case 'item/reasoning/summaryTextDelta':
      return readDelta(state, params, 'thinking')
    case 'item/commandExecution/outputDelta':
      return readOutput(state, params, setting.cwd)
    case 'turn/plan/updated':
      return [state, readPlan(state, params)]
    case 'turn/diff/updated': {
      const diff = isOurs(state, params) ? textIn(params, 'diff') : undefined
      return [diff === undefined ? state : withTurn(state, { diff }), []]
    }
    case 'thread/tokenUsage/updated':
      return readUsage(state, params, setting)
    case 'account/rateLimits/updated': {
      const [limits, warning] = updateRateLimits(state.limits, fieldsOf(params.rateLimits), setting.now())
      return [{ ...state, limits }, warning ? [warning] : []]
    }
    case 'error':
      return readTrouble(state, params)
    case 'configWarning':
    case 'warning':
    case 'guardianWarning': {
      const line = textIn(params, 'summary') ?? textIn(params, 'message')
      return [state, line === undefined ? [] : [{ type: 'log', stream: 'stdout', line }]]
    }
    default:
      return [state, []]
  }
}

function withTurn(state: ThreadState, changes: Partial<TurnState>): ThreadState {
  return { ...state, turn: { ...state.turn, ...changes } }
}

function isOurs({ threadId }: ThreadState, params: Fields): boolean {
  const thread = textIn(params, 'threadId')
  return thread === undefined || threadId === undefined || thread === threadId
}

/** Names the agent of another thread: one that our agent started. */
function agentOf(state: ThreadState, params: Fields): { agent?: string } {
  const agent = isOurs(state, params) ? undefined : textIn(params, 'threadId')
  return agent === undefined ? {} : { agent }
}

function readItem(before: ThreadState, params: Fields, { over, cwd }: { over: boolean; cwd: string }): Read {
  const told = fieldsOf(params.item)
  const id = textIn(told, 'id')
  if (id === undefined) return [before, []]
  const items = withValue(before.turn.items, id, told)
  const isWork = textIn(told, 'type') !== 'userMessage'
  let state = withTurn(before, { items, ...(isWork ? { retries: 0 } : {}) })
  const events = over ? spoken(told, id, agentOf(state, params)) : []
  if (over && isOurs(state, params)) state = withAnswer(state, told)
  const tool = toolOfItem(told, { cwd, over, ...agentOf(state, params) })
  if (!tool) return [state, events]
  const heard = before.turn.outputs.get(id)
  if (tool.status !== 'running') state = withTurn(state, { outputs: without(before.turn.outputs, id) })
  const output = tool.output === undefined && heard ? { output: clipOutput(heard) } : {}
  return [state, [...events, { ...tool, ...output }]]
}

/** The last message that is not meant for in between is the answer. */
function withAnswer(state: ThreadState, told: Fields): ThreadState {
  const said = textIn(told, 'text')
  const isAnswer = textIn(told, 'type') === 'agentMessage' && textIn(told, 'phase') !== 'commentary'
  return isAnswer && said !== undefined ? withTurn(state, { said }) : state
}

function spoken(told: Fields, id: string, by: { agent?: string }): AgentEvent[] {
  switch (textIn(told, 'type')) {
    case 'agentMessage':
    case 'plan': {
      const full = textIn(told, 'text')
      return full === undefined ? [] : [{ type: 'text', id, full, ...by }]
    }
    case 'reasoning':
      return textsOf(told.summary).map((full, index) => ({
        type: 'thinking',
        id: `${id}/${index}`,
        full,
        ...by,
      }))
    case 'contextCompaction':
      return [{ type: 'log', stream: 'stdout', line: 'codex summed the conversation up to make room' }]
    default:
      return []
  }
}

function readDelta(before: ThreadState, params: Fields, type: 'text' | 'thinking'): Read {
  const id = textIn(params, 'itemId')
  const text = textIn(params, 'delta')
  if (id === undefined || text === undefined) return [before, []]
  const part = type === 'text' ? id : `${id}/${numberIn(params, 'summaryIndex') ?? 0}`
  const state = withTurn(before, { retries: 0 })
  return [state, [{ type, id: part, delta: text, ...agentOf(state, params) }]]
}

function readOutput(state: ThreadState, params: Fields, cwd: string): Read {
  const id = textIn(params, 'itemId')
  const text = textIn(params, 'delta')
  const started = itemOf(state, id)
  if (id === undefined || text === undefined || !started) return [state, []]
  const output = clipOutput((state.turn.outputs.get(id) ?? '') + text)
  const tool = toolOfItem(started, { cwd, over: false, ...agentOf(state, params) })
  return [
    withTurn(state, { outputs: withValue(state.turn.outputs, id, output) }),
    tool?.status === 'running' ? [{ ...tool, output }] : [],
  ]
}

function readUsage(before: ThreadState, params: Fields, { isResumed, maxCalls }: ThreadSetting): Read {
  const counts = fieldsOf(params.tokenUsage)
  const total = countedOf(counts.total)
  const thread = textIn(params, 'threadId')
  if (total === undefined || thread === undefined) return [before, []]
  const state = { ...before, billed: withValue(before.billed, thread, total) }
  // A resumed thread first tells what it used in its earlier life.
  if (!before.hasBegun) return [state, []]
  const isOwn = isOurs(state, params)
  const last = countedOf(counts.last)
  const earlier = before.billed.get(thread) ?? (isResumed && isOwn && last ? minus(total, last) : undefined)
  const event = usageSince(total, earlier)
  const events = event.input + event.output + event.cached > 0 ? [event] : []
  return [isOwn ? withCall(state, maxCalls) : state, events]
}

function withCall(state: ThreadState, maxCalls: number | undefined): ThreadState {
  const calls = state.turn.calls + 1
  if (maxCalls === undefined || calls <= maxCalls) return withTurn(state, { calls })
  const message = `The agent used up its ${counted(maxCalls, 'turn')} and was stopped.`
  const hopeless = state.turn.hopeless ?? { error: 'turns', retry: 'never', message }
  return withTurn(state, { calls, hopeless })
}

function readTrouble(state: ThreadState, params: Fields): Read {
  if (params.willRetry !== true || !isOurs(state, params)) return [state, []]
  const error = errorOf(params.error)
  const message = messageOf(error)
  const retries = state.turn.retries + 1
  const counted = readRetry(textIn(error, 'message') ?? '')
  const cause = textIn(error, 'additionalDetails') ?? message
  const isAuth = isAuthFailure(error.codexErrorInfo, message)
  const cap = isAuth ? retryCaps.auth : counted ? retryCaps.any : retryCaps.uncounted
  const useless =
    retries >= cap ? { ...classifyCodexError(error.codexErrorInfo, message), message: cause } : undefined
  const hopeless = state.turn.hopeless ?? useless
  return [
    withTurn(state, { retries, ...(hopeless ? { hopeless } : {}) }),
    [{ type: 'retry', ...(counted ?? { attempt: retries }), cause }],
  ]
}

function readPlan(state: ThreadState, params: Fields): AgentEvent[] {
  if (!isOurs(state, params)) return []
  const steps = listIn(params, 'plan').map(fieldsOf)
  const told = steps.map((each) => ({
    text: textIn(each, 'step') ?? '',
    status: textIn(each, 'status') === 'inProgress' ? 'in_progress' : (textIn(each, 'status') ?? 'pending'),
  }))
  return [{ type: 'plan', items: told.filter((each) => each.text !== '') }]
}

function readCompleted(state: ThreadState, params: Fields, now: number): Read {
  const told = fieldsOf(params.turn)
  const id = textIn(told, 'id')
  const { turn } = state
  const isOther = turn.id !== undefined && id !== undefined && id !== turn.id
  if (!turn.isOpen || !isOurs(state, params) || isOther) return [state, []]
  const changes: AgentEvent[] = turn.diff === '' ? [] : [diffOfTurn(turn.diff, id)]
  const [verdict, events] = readVerdict(state, told, now)
  return [withTurn(state, { isOpen: false, verdict }), [...changes, ...events]]
}

function diffOfTurn(diff: string, id: string | undefined): AgentEvent {
  return {
    type: 'tool',
    id: `${id ?? 'turn'}/diff`,
    name: 'changes',
    kind: 'edit',
    title: 'all changes of this turn',
    diff,
    status: 'ok',
  }
}

function readVerdict(state: ThreadState, told: Fields, now: number): [TurnVerdict, AgentEvent[]] {
  switch (textIn(told, 'status')) {
    case 'completed':
      return [{ status: 'completed', text: lastMessage(told) ?? state.turn.said ?? '' }, []]
    case 'interrupted':
      return [{ status: 'interrupted' }, []]
    case 'failed':
      return readFailure(state.limits, errorOf(told.error), now)
    default: {
      const message = 'Codex ended the turn without saying how.'
      return [{ status: 'failed', failure: { error: 'crash', retry: 'now', message } }, []]
    }
  }
}

function readFailure(limits: RateLimits, error: Fields, now: number): [TurnVerdict, AgentEvent[]] {
  const message = messageOf(error)
  const known = { ...classifyCodexError(error.codexErrorInfo, message), message }
  if (known.error !== 'limit') return [{ status: 'failed', failure: known }, []]
  const event = limitRejected(limits, message, now)
  const failure = event.resetsAt === undefined ? known : { ...known, resetsAt: event.resetsAt }
  return [{ status: 'failed', failure }, [event]]
}

function messageOf(error: Fields): string {
  const message = textIn(error, 'message') ?? 'codex reported a failure without a message'
  const more = textIn(error, 'additionalDetails')
  return more === undefined || more === message ? message : `${message}: ${more}`
}

function lastMessage(turn: Fields): string | undefined {
  const messages = listIn(turn, 'items').map(fieldsOf)
  return messages.flatMap((each) => (each.type === 'agentMessage' ? (textIn(each, 'text') ?? []) : [])).pop()
}
