import type { AgentEvent, TokenUsage } from '../agent.js'
import { addUsage, noUsage } from '../events.js'
import { type Fields, fieldsOf, listIn, parseFields, textIn } from '../fields.js'
import { classifyCodexError, isAuthFailure, readRetry, retryCaps, type TurnFailure } from './codex-errors.js'
import { toolOfItem } from './codex-items.js'
import { createRateLimits } from './codex-limits.js'
import { type Counted, countedOf, usageSince } from './codex-usage.js'

// Lines of `codex exec --json` as events (agents.md section 2.2). No process, no clock of its own.

/** What a run of `codex exec` said before it ended. */
export interface ExecReport {
  threadId?: string
  /** `turn.completed` was printed. */
  isCompleted: boolean
  failure?: TurnFailure
  /** The last message of the agent. */
  text: string
  usage: TokenUsage
}

export interface ExecReader {
  line(line: string): void
  /** Codex goes on although it is no use: a refused key, a network that is not there. */
  hopeless(): TurnFailure | undefined
  report(): ExecReport
}

export interface ExecReaderOptions {
  cwd: string
  now(): number
  emit(event: AgentEvent): void
  /** What threads had used when they were last billed: codex counts over the whole thread. Updated. */
  billed: Map<string, Counted>
}

export function createExecReader({ cwd, now, emit, billed }: ExecReaderOptions): ExecReader {
  const limits = createRateLimits(now)
  let threadId: string | undefined
  let isCompleted = false
  let failure: TurnFailure | undefined
  let lastError: string | undefined
  let hopeless: TurnFailure | undefined
  let text = ''
  let usage = noUsage
  let retries = 0

  function item(told: Fields, over: boolean): void {
    const id = textIn(told, 'id')
    if (id === undefined) return
    retries = 0
    const said = textIn(told, 'text')
    switch (textIn(told, 'type')) {
      case 'agent_message':
        if (said === undefined || !over) return
        text = said
        emit({ type: 'text', id, full: said })
        return
      case 'reasoning':
        if (said !== undefined) emit({ type: 'thinking', id, full: said })
        return
      case 'error': {
        const line = textIn(told, 'message')
        if (line !== undefined) emit({ type: 'log', stream: 'stdout', line })
        return
      }
      case 'todo_list': {
        const steps = listIn(told, 'items').map(fieldsOf)
        const items = steps.map((step) => ({
          text: textIn(step, 'text') ?? '',
          status: step.completed === true ? 'completed' : 'pending',
        }))
        emit({ type: 'plan', items: items.filter((each) => each.text !== '') })
        return
      }
      default: {
        const tool = toolOfItem(told, { cwd, over })
        if (tool) emit(tool)
      }
    }
  }

  function trouble(message: string): void {
    lastError = message
    if (!message.startsWith('Reconnecting')) return
    retries += 1
    const counted = readRetry(message)
    const cause = /^Reconnecting\.\.\. [^(]*\((.+)\)$/s.exec(message)?.[1] ?? message
    emit({ type: 'retry', ...(counted ?? { attempt: retries }), cause })
    const isAuth = isAuthFailure(undefined, message)
    const cap = isAuth ? retryCaps.auth : counted ? retryCaps.any : retryCaps.uncounted
    if (retries >= cap) hopeless ??= { ...classifyCodexError(undefined, message), message: cause }
  }

  function failed(message: string): TurnFailure {
    const known = { ...classifyCodexError(undefined, message), message }
    if (known.error !== 'limit') return known
    const event = limits.rejected(message)
    emit(event)
    return event.resetsAt === undefined ? known : { ...known, resetsAt: event.resetsAt }
  }

  function completed(told: Fields): void {
    isCompleted = true
    const total = countedOf(told.usage)
    if (!total) return
    const event = usageSince(total, threadId === undefined ? undefined : billed.get(threadId))
    if (threadId !== undefined) billed.set(threadId, total)
    usage = addUsage(usage, event)
    emit(event)
  }

  return {
    line(line) {
      const told = parseFields(line)
      const type = told && textIn(told, 'type')
      if (told === undefined || type === undefined) {
        if (line.trim() !== '') emit({ type: 'log', stream: 'stdout', line })
        return
      }
      switch (type) {
        case 'thread.started': {
          const id = textIn(told, 'thread_id')
          if (id === undefined) return
          threadId = id
          emit({ type: 'session', id })
          return
        }
        case 'item.started':
        case 'item.updated':
          return item(fieldsOf(told.item), false)
        case 'item.completed':
          return item(fieldsOf(told.item), true)
        case 'turn.completed':
          return completed(told)
        case 'turn.failed':
          failure = failed(
            textIn(fieldsOf(told.error), 'message') ?? lastError ?? 'codex failed without a message',
          )
          return
        case 'error':
          return trouble(textIn(told, 'message') ?? 'codex reported an error without a message')
      }
    },
    hopeless: () => hopeless,
    report: () => ({
      threadId,
      isCompleted,
      failure: failure ?? (isCompleted || lastError === undefined ? undefined : failed(lastError)),
      text,
      usage,
    }),
  }
}
