import type { AgentEvent } from '../agent.js'
import { type Fields, fieldsOf, listIn, numberIn, textIn } from '../fields.js'
import { classifyCodexError, isAuthFailure, readRetry, retryCaps, type TurnFailure } from './codex-errors.js'
import { clipOutput, toolOfItem } from './codex-items.js'
import { createRateLimits } from './codex-limits.js'
import { type Counted, countedOf, minus, usageSince } from './codex-usage.js'
import { textsOf } from './codex-values.js'

// Notifications of codex app-server as events (agents.md section 2.2). No process, no clock of its own.

/** How codex says that a turn ended. */
export type TurnVerdict =
  | { status: 'completed'; text: string }
  | { status: 'interrupted' }
  | { status: 'failed'; failure: TurnFailure }

export interface TurnReader {
  /** The thread that is ours, once it is known. */
  thread(id: string): void
  /** A turn was asked for. */
  begin(): void
  /** Id of the running turn, from the answer to its start; the notification may come first. */
  turn(id: string): void
  turnId(): string | undefined
  take(method: string, params: Fields): void
  item(id: string | undefined): Fields | undefined
  /** Set when our turn is over. */
  verdict(): TurnVerdict | undefined
  /** Codex goes on although it is no use: refused keys, a network that is not there, too many turns. */
  hopeless(): TurnFailure | undefined
}

export interface TurnReaderOptions {
  cwd: string
  now(): number
  emit(event: AgentEvent): void
  /** The thread had turns before, which are not billed again. */
  isResumed: boolean
  /** Model calls of one turn, where they are limited. */
  maxCalls?: number
}

export function createTurnReader(options: TurnReaderOptions): TurnReader {
  const { cwd, now, emit, isResumed, maxCalls } = options
  const limits = createRateLimits(now)
  const billed = new Map<string, Counted>()
  const items = new Map<string, Fields>()
  const outputs = new Map<string, string>()
  let threadId: string | undefined
  let current: string | undefined
  let isOpen = false
  let hasBegun = false
  let said: string | undefined
  let diff = ''
  let retries = 0
  let calls = 0
  let verdict: TurnVerdict | undefined
  let hopeless: TurnFailure | undefined

  const isOurs = (params: Fields) => {
    const thread = textIn(params, 'threadId')
    return thread === undefined || threadId === undefined || thread === threadId
  }
  /** Names the agent of another thread: one that our agent started. */
  const agentOf = (params: Fields) => (isOurs(params) ? undefined : textIn(params, 'threadId'))
  const withAgent = (params: Fields) => {
    const agent = agentOf(params)
    return agent === undefined ? {} : { agent }
  }

  function item(params: Fields, over: boolean): void {
    const told = fieldsOf(params.item)
    const id = textIn(told, 'id')
    if (id === undefined) return
    if (textIn(told, 'type') !== 'userMessage') retries = 0
    items.set(id, told)
    if (over) spoken(params, told, id)
    const tool = toolOfItem(told, { cwd, over, agent: agentOf(params) })
    if (!tool) return
    const heard = outputs.get(id)
    if (tool.status !== 'running') outputs.delete(id)
    emit(tool.output === undefined && heard ? { ...tool, output: clipOutput(heard) } : tool)
  }

  function spoken(params: Fields, told: Fields, id: string): void {
    switch (textIn(told, 'type')) {
      case 'agentMessage': {
        const full = textIn(told, 'text')
        if (full === undefined) return
        emit({ type: 'text', id, full, ...withAgent(params) })
        if (isOurs(params) && textIn(told, 'phase') !== 'commentary') said = full
        return
      }
      case 'plan': {
        const full = textIn(told, 'text')
        if (full !== undefined) emit({ type: 'text', id, full, ...withAgent(params) })
        return
      }
      case 'reasoning':
        for (const [index, full] of textsOf(told.summary).entries()) {
          emit({ type: 'thinking', id: `${id}/${index}`, full, ...withAgent(params) })
        }
        return
      case 'contextCompaction':
        emit({ type: 'log', stream: 'stdout', line: 'codex summed the conversation up to make room' })
        return
    }
  }

  function delta(params: Fields, type: 'text' | 'thinking'): void {
    const id = textIn(params, 'itemId')
    const text = textIn(params, 'delta')
    if (id === undefined || text === undefined) return
    retries = 0
    const part = type === 'text' ? id : `${id}/${numberIn(params, 'summaryIndex') ?? 0}`
    emit({ type, id: part, delta: text, ...withAgent(params) })
  }

  function output(params: Fields): void {
    const id = textIn(params, 'itemId')
    const text = textIn(params, 'delta')
    const started = id === undefined ? undefined : items.get(id)
    if (id === undefined || text === undefined || !started) return
    const heard = clipOutput((outputs.get(id) ?? '') + text)
    outputs.set(id, heard)
    const tool = toolOfItem(started, { cwd, over: false, agent: agentOf(params) })
    if (tool?.status === 'running') emit({ ...tool, output: heard })
  }

  function usage(params: Fields): void {
    const counts = fieldsOf(params.tokenUsage)
    const total = countedOf(counts.total)
    const thread = textIn(params, 'threadId')
    if (total === undefined || thread === undefined) return
    if (!hasBegun) {
      // A resumed thread first tells what it used in its earlier life.
      billed.set(thread, total)
      return
    }
    const last = countedOf(counts.last)
    const before =
      billed.get(thread) ?? (isResumed && isOurs(params) && last ? minus(total, last) : undefined)
    billed.set(thread, total)
    const event = usageSince(total, before)
    if (event.input + event.output + event.cached > 0) emit(event)
    if (!isOurs(params)) return
    calls += 1
    if (maxCalls !== undefined && calls > maxCalls) {
      hopeless ??= {
        error: 'turns',
        retry: 'never',
        message: `The agent used up its ${maxCalls} turns and was stopped.`,
      }
    }
  }

  function trouble(params: Fields): void {
    const error = fieldsOf(params.error)
    const message = messageOf(error)
    if (params.willRetry !== true || !isOurs(params)) return
    retries += 1
    const counted = readRetry(textIn(error, 'message') ?? '')
    const cause = textIn(error, 'additionalDetails') ?? message
    emit({ type: 'retry', ...(counted ?? { attempt: retries }), cause })
    const isAuth = isAuthFailure(error.codexErrorInfo, message)
    const cap = isAuth ? retryCaps.auth : counted ? retryCaps.any : retryCaps.uncounted
    if (retries >= cap) hopeless ??= { ...classifyCodexError(error.codexErrorInfo, message), message: cause }
  }

  function plan(params: Fields): void {
    const steps = listIn(params, 'plan').map(fieldsOf)
    const told = steps.map((each) => ({
      text: textIn(each, 'step') ?? '',
      status: textIn(each, 'status') === 'inProgress' ? 'in_progress' : (textIn(each, 'status') ?? 'pending'),
    }))
    if (isOurs(params)) emit({ type: 'plan', items: told.filter((each) => each.text !== '') })
  }

  function completed(params: Fields): void {
    const turn = fieldsOf(params.turn)
    const id = textIn(turn, 'id')
    if (!isOpen || !isOurs(params) || (current !== undefined && id !== undefined && id !== current)) return
    isOpen = false
    if (diff !== '') {
      emit({
        type: 'tool',
        id: `${id ?? 'turn'}/diff`,
        name: 'changes',
        kind: 'edit',
        title: 'all changes of this turn',
        diff,
        status: 'ok',
      })
    }
    verdict = readVerdict(turn)
  }

  function readVerdict(turn: Fields): TurnVerdict {
    switch (textIn(turn, 'status')) {
      case 'completed':
        return { status: 'completed', text: lastMessage(turn) ?? said ?? '' }
      case 'interrupted':
        return { status: 'interrupted' }
      case 'failed':
        return { status: 'failed', failure: failureOf(fieldsOf(turn.error)) }
      default:
        return {
          status: 'failed',
          failure: { error: 'crash', retry: 'now', message: 'Codex ended the turn without saying how.' },
        }
    }
  }

  function failureOf(error: Fields): TurnFailure {
    const message = messageOf(error)
    const failure = { ...classifyCodexError(error.codexErrorInfo, message), message }
    if (failure.error !== 'limit') return failure
    const event = limits.rejected(message)
    emit(event)
    return event.resetsAt === undefined ? failure : { ...failure, resetsAt: event.resetsAt }
  }

  return {
    thread(id) {
      threadId = id
    },
    begin() {
      hasBegun = true
      isOpen = true
      current = undefined
      said = undefined
      diff = ''
      retries = 0
      calls = 0
      verdict = undefined
      hopeless = undefined
      items.clear()
      outputs.clear()
    },
    turn(id) {
      current ??= id
    },
    turnId: () => (isOpen ? current : undefined),
    take(method, params) {
      switch (method) {
        case 'turn/started':
          if (isOpen && isOurs(params)) current ??= textIn(fieldsOf(params.turn), 'id')
          return
        case 'turn/completed':
          return completed(params)
        case 'item/started':
          return item(params, false)
        case 'item/completed':
          return item(params, true)
        case 'item/agentMessage/delta':
          return delta(params, 'text')
        case 'item/reasoning/summaryTextDelta':
          return delta(params, 'thinking')
        case 'item/commandExecution/outputDelta':
          return output(params)
        case 'turn/plan/updated':
          return plan(params)
        case 'turn/diff/updated':
          if (isOurs(params)) diff = textIn(params, 'diff') ?? diff
          return
        case 'thread/tokenUsage/updated':
          return usage(params)
        case 'account/rateLimits/updated': {
          const warning = limits.update(fieldsOf(params.rateLimits))
          if (warning) emit(warning)
          return
        }
        case 'error':
          return trouble(params)
        case 'configWarning':
        case 'warning':
        case 'guardianWarning': {
          const line = textIn(params, 'summary') ?? textIn(params, 'message')
          if (line !== undefined) emit({ type: 'log', stream: 'stdout', line })
          return
        }
      }
    },
    item: (id) => (id === undefined ? undefined : items.get(id)),
    verdict: () => verdict,
    hopeless: () => hopeless,
  }
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
