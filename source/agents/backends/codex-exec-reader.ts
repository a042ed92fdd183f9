import type { AgentEvent } from '../agent.js'
import { type Fields, fieldsOf, listIn, parseFields, textIn } from '../fields.js'
import { classifyCodexError, isAuthFailure, readRetry, retryCaps, type TurnFailure } from './codex-errors.js'
import { toolOfItem } from './codex-items.js'
import { limitRejected, noRateLimits } from './codex-limits.js'
import { type Counted, countedOf, usageSince } from './codex-usage.js'
import { errorOf } from './codex-values.js'

// Lines of `codex exec --json` as events (docs/agents.md, "Codex"). No process, no clock of its own.

/** What a run of `codex exec` said so far. */
export interface ExecState {
  threadId?: string
  /** `turn.completed` was printed. */
  isCompleted: boolean
  /** What the whole thread has used by its own count, once the turn is completed. */
  counted?: Counted
  failure?: TurnFailure
  lastError?: string
  /** Codex goes on although it is no use: a refused key, a network that is not there. */
  hopeless?: TurnFailure
  /** The last message of the agent. */
  text: string
  /** Retries in a row. */
  retries: number
}

export const beforeExec: ExecState = { isCompleted: false, text: '', retries: 0 }

export interface ExecSetting {
  cwd: string
  now(): number
  /** What threads had used when they were last billed: codex counts over the whole thread. */
  billed: ReadonlyMap<string, Counted>
}

type Read = [ExecState, AgentEvent[]]

export function readExecLine(state: ExecState, line: string, setting: ExecSetting): Read {
  const told = parseFields(line)
  const type = told && textIn(told, 'type')
  if (told === undefined || type === undefined) {
    return [state, line.trim() === '' ? [] : [{ type: 'log', stream: 'stdout', line }]]
  }
  switch (type) {
    case 'thread.started': {
      const id = textIn(told, 'thread_id')
      return id === undefined ? [state, []] : [{ ...state, threadId: id }, [{ type: 'session', id }]]
    }
    case 'item.started':
    case 'item.updated':
      return readItem(state, fieldsOf(told.item), { over: false, cwd: setting.cwd })
    case 'item.completed':
      return readItem(state, fieldsOf(told.item), { over: true, cwd: setting.cwd })
    case 'turn.completed':
      return readCompleted(state, told, setting.billed)
    case 'turn.failed': {
      const message = textIn(errorOf(told.error), 'message') ?? state.lastError
      return fail(state, message ?? 'codex failed without a message', setting.now())
    }
    case 'error':
      return readTrouble(
        state,
        textIn(told, 'message') ??
          textIn(errorOf(told.error), 'message') ??
          'codex reported an error without a message',
      )
    default:
      return [state, []]
  }
}

/** The process is gone: an error that no turn was told of is the failure of the run. */
export function endOfExec(state: ExecState, now: number): Read {
  const { failure, isCompleted, lastError } = state
  return failure || isCompleted || lastError === undefined ? [state, []] : fail(state, lastError, now)
}

function readItem(before: ExecState, told: Fields, { over, cwd }: { over: boolean; cwd: string }): Read {
  const id = textIn(told, 'id')
  if (id === undefined) return [before, []]
  const state = { ...before, retries: 0 }
  const said = textIn(told, 'text')
  switch (textIn(told, 'type')) {
    case 'agent_message':
      if (said === undefined || !over) return [state, []]
      return [{ ...state, text: said }, [{ type: 'text', id, full: said }]]
    case 'reasoning':
      return [state, said === undefined ? [] : [{ type: 'thinking', id, full: said }]]
    case 'error': {
      const line = textIn(told, 'message')
      return [state, line === undefined ? [] : [{ type: 'log', stream: 'stdout', line }]]
    }
    case 'todo_list':
      return [state, [planOf(told)]]
    default: {
      const tool = toolOfItem(told, { cwd, over })
      return [state, tool ? [tool] : []]
    }
  }
}

function planOf(told: Fields): AgentEvent {
  const steps = listIn(told, 'items').map(fieldsOf)
  const items = steps.map((step) => ({
    text: textIn(step, 'text') ?? '',
    status: step.completed === true ? 'completed' : 'pending',
  }))
  return { type: 'plan', items: items.filter((each) => each.text !== '') }
}

function readTrouble(before: ExecState, message: string): Read {
  const state = { ...before, lastError: message }
  if (!message.startsWith('Reconnecting')) return [state, []]
  const retries = state.retries + 1
  const counted = readRetry(message)
  const cause = /^Reconnecting\.\.\. [^(]*\((.+)\)$/s.exec(message)?.[1] ?? message
  const isAuth = isAuthFailure(undefined, message)
  const cap = isAuth ? retryCaps.auth : counted ? retryCaps.any : retryCaps.uncounted
  const useless = retries >= cap ? { ...classifyCodexError(undefined, message), message: cause } : undefined
  const hopeless = state.hopeless ?? useless
  return [
    { ...state, retries, ...(hopeless ? { hopeless } : {}) },
    [{ type: 'retry', ...(counted ?? { attempt: retries }), cause }],
  ]
}

function fail(state: ExecState, message: string, now: number): Read {
  const known = { ...classifyCodexError(undefined, message), message }
  if (known.error !== 'limit') return [{ ...state, failure: known }, []]
  const event = limitRejected(noRateLimits, message, now)
  const failure = event.resetsAt === undefined ? known : { ...known, resetsAt: event.resetsAt }
  return [{ ...state, failure }, [event]]
}

function readCompleted(before: ExecState, told: Fields, billed: ReadonlyMap<string, Counted>): Read {
  const state = { ...before, isCompleted: true }
  const total = countedOf(told.usage)
  if (!total) return [state, []]
  const { threadId } = state
  const earlier = state.counted ?? (threadId === undefined ? undefined : billed.get(threadId))
  return [{ ...state, counted: total }, [usageSince(total, earlier)]]
}
