import type { ChildExit } from '../../processes/supervisor.js'
import type { AgentEvent } from '../agent.js'
import type { LastWords } from '../end-of-process.js'
import { type Fields, fieldsIn, fieldsOf, listIn, numberIn, parseFields, textIn } from '../fields.js'
import { withValue } from '../read-only-map.js'
import { plausibleReset } from '../reset-time.js'
import type { RequestId, ToolRequest } from './claude-asks.js'
import { type ClaudeFailure, classifyTrouble, failureOf, signInAdvice } from './claude-errors.js'
import {
  agentOf,
  openToolBook,
  type ToolBook,
  toolEnded,
  toolInput,
  toolRefused,
  toolStarted,
} from './claude-tool-book.js'
import { billAnswer, billResult, type ClaudeBill, openBill } from './claude-usage.js'

// Lines of Claude Code as events (docs/agents.md, "Claude Code"). No process, no clock of its own.

/** What a line of Claude Code means to its host. */
export type ClaudeStep =
  | { step: 'event'; event: AgentEvent }
  | { step: 'request'; request: ToolRequest }
  /** A request that this host does not know; it wants an answer all the same. */
  | { step: 'foreign'; id: RequestId }
  | { step: 'withdrawn'; id: RequestId }
  /** The turn is over; more may follow. */
  | { step: 'result' }
  /** Going on is useless: stop the program. */
  | { step: 'hopeless'; failure: ClaudeFailure }

/** What is known of one process. */
export interface ClaudeState {
  mode: 'new' | 'resume' | 'fork'
  session?: { id: string; model?: string }
  bill: ClaudeBill
  book: ToolBook
  /** Blocks of each message so far. */
  blocks: ReadonlyMap<string, number>
  /** The message that is written now, by subagent. */
  messages: ReadonlyMap<string, string>
  lines: number
  /** Of the turn that ran last. */
  result?: Fields
  apiError?: Fields
  /** Of the limit that was hit last, epoch milliseconds. */
  resetsAt?: number
  /** A line after the result could not be read: it may have been anything, also a second result. */
  isTorn: boolean
}

type Read = [ClaudeState, ClaudeStep[]]

export function beforeClaude(cwd: string, mode: ClaudeState['mode']): ClaudeState {
  return {
    mode,
    bill: openBill(mode === 'new'),
    book: openToolBook(cwd),
    blocks: new Map(),
    messages: new Map(),
    lines: 0,
    isTorn: false,
  }
}

/** Reads one line of stdout. Never throws, and ignores what it does not know. `now` is epoch milliseconds. */
export function readClaudeLine(before: ClaudeState, text: string, now: number): Read {
  if (text.trim() === '') return [before, []]
  const state = { ...before, lines: before.lines + 1 }
  const fields = parseFields(text)
  if (fields) return readFields(state, fields, now)
  const isTorn = state.isTorn || text.trimStart().startsWith('{')
  return [{ ...state, isTorn }, events({ type: 'log', stream: 'stdout', line: text })]
}

/** A turn begins in a conversation that is already open: what was said of an earlier one no longer counts. */
export function beginClaudeTurn(state: ClaudeState): ClaudeState {
  if (state.result === undefined) return state
  const { result: _result, apiError: _apiError, ...rest } = state
  return rest
}

function readFields(state: ClaudeState, fields: Fields, now: number): Read {
  switch (textIn(fields, 'type')) {
    case 'system':
      return readSystem(state, fields)
    case 'stream_event':
      return readStream(state, fields, fieldsIn(fields, 'event'))
    case 'assistant':
      return readAssistant(state, fields)
    case 'user':
      return readUser(state, fields)
    case 'rate_limit_event':
      return readLimit(state, fieldsIn(fields, 'rate_limit_info'), now)
    case 'control_request':
      return [state, readRequest(state, fields, fieldsIn(fields, 'request'))]
    case 'control_cancel_request':
      return [state, [{ step: 'withdrawn', id: requestId(fields) ?? '' }]]
    case 'result':
      return readResult(state, fields)
    default:
      return [state, []]
  }
}

function readSystem(state: ClaudeState, fields: Fields): Read {
  switch (textIn(fields, 'subtype')) {
    case 'init':
      return readInit(state, fields)
    case 'api_retry':
      return [state, readRetry(fields)]
    case 'permission_denied': {
      const denied = { id: textIn(fields, 'tool_use_id'), name: textIn(fields, 'tool_name'), input: {} }
      const [book, told] = toolRefused(state.book, denied)
      return [{ ...state, book }, events(...told)]
    }
    default:
      return [state, []]
  }
}

function readInit(before: ClaudeState, fields: Fields): Read {
  const turn = beginClaudeTurn(before)
  const state = { ...turn, book: { ...turn.book, cwd: textIn(fields, 'cwd') ?? turn.book.cwd } }
  const id = textIn(fields, 'session_id')
  const model = textIn(fields, 'model')
  const { session } = state
  if (id === undefined || (session?.id === id && session.model === model)) return [state, []]
  const auth = textIn(fields, 'apiKeySource')
  const version = textIn(fields, 'claude_code_version')
  const opened = { id, ...(model === undefined ? {} : { model }) }
  return [{ ...state, session: opened }, events({ type: 'session', id, model, auth, version })]
}

function readRetry(fields: Fields): ClaudeStep[] {
  const status = numberIn(fields, 'error_status')
  const named = textIn(fields, 'error') ?? 'error'
  const cause = status === undefined ? named : `${named} (${status})`
  const delayMs = numberIn(fields, 'retry_delay_ms')
  const max = numberIn(fields, 'max_retries')
  const steps = events({ type: 'retry', attempt: numberIn(fields, 'attempt') ?? 1, max, delayMs, cause })
  if (status !== 401 && status !== 403) return steps
  const failure = failureOf('auth', signInAdvice(`The model server refused the sign-in: ${cause}.`))
  return [...steps, { step: 'hopeless', failure }]
}

function readLimit(before: ClaudeState, info: Fields, now: number): Read {
  const status = textIn(info, 'status')
  const window = textIn(info, 'rateLimitType')
  const used = numberIn(info, 'utilization') ?? windowUse(info, window)
  const isRejected = status === 'rejected'
  const seconds = numberIn(info, 'resetsAt')
  const at = plausibleReset(seconds === undefined ? undefined : seconds * 1000, now)
  const { resetsAt: _, ...rest } = before
  const state = isRejected && at !== undefined ? { ...rest, resetsAt: at } : rest
  if (!isRejected && status !== 'allowed_warning' && (used ?? 0) < 0.8) return [state, []]
  const usedPct = used === undefined ? undefined : Math.round(used * 1000) / 10
  const kind = isRejected ? 'rejected' : 'warning'
  return [state, events({ type: 'limit', status: kind, resetsAt: at, window, usedPct })]
}

function readStream(state: ClaudeState, fields: Fields, event: Fields): Read {
  const scope = textIn(fields, 'parent_tool_use_id') ?? ''
  const message = textIn(fields, 'api_message_id') ?? state.messages.get(scope)
  switch (textIn(event, 'type')) {
    case 'message_start': {
      const turn = beginClaudeTurn(state)
      const opened = fieldsIn(event, 'message')
      const id = textIn(opened, 'id') ?? ''
      const bill = billAnswer(turn.bill, id, fieldsIn(opened, 'usage'))
      return [{ ...turn, bill, messages: withValue(turn.messages, scope, id) }, []]
    }
    case 'message_delta': {
      if (message === undefined || !('usage' in event)) return [state, []]
      return [{ ...state, bill: billAnswer(state.bill, message, fieldsIn(event, 'usage')) }, []]
    }
    case 'content_block_delta':
      return [state, readDelta(state, fields, event, message ?? 'message')]
    default:
      return [state, []]
  }
}

function readDelta(state: ClaudeState, fields: Fields, event: Fields, message: string): ClaudeStep[] {
  const delta = fieldsIn(event, 'delta')
  const id = `${message}:${numberIn(event, 'index') ?? 0}`
  const agent = agentOf(state.book, fields)
  const text = textIn(delta, 'text')
  const thought = textIn(delta, 'thinking')
  if (text !== undefined) return events({ type: 'text', id, delta: text, agent })
  return thought === undefined ? [] : events({ type: 'thinking', id, delta: thought, agent })
}

function readAssistant(before: ClaudeState, fields: Fields): Read {
  const agent = agentOf(before.book, fields)
  const turn = agent === undefined ? beginClaudeTurn(before) : before
  if (fields.is_api_error_message === true) {
    return [agent === undefined ? { ...turn, apiError: fields } : turn, []]
  }
  const message = fieldsIn(fields, 'message')
  const id = textIn(message, 'id') ?? 'message'
  let state: ClaudeState = turn
  const steps: ClaudeStep[] = []
  for (const block of listIn(message, 'content').map(fieldsOf)) {
    const index = state.blocks.get(id) ?? 0
    const [book, told] = readBlock(state.book, block, { id: `${id}:${index}`, agent })
    state = { ...state, book, blocks: withValue(state.blocks, id, index + 1) }
    steps.push(...events(...told))
  }
  return [state, steps]
}

function readBlock(
  book: ToolBook,
  block: Fields,
  { id, agent }: { id: string; agent: string | undefined },
): [ToolBook, AgentEvent[]] {
  const text = textIn(block, 'text')
  const thought = textIn(block, 'thinking')
  switch (textIn(block, 'type')) {
    case 'text':
      return [book, text ? [{ type: 'text', id, full: text, agent }] : []]
    case 'thinking':
      return [book, thought ? [{ type: 'thinking', id, full: thought, agent }] : []]
    case 'tool_use':
      return toolStarted(book, block, agent)
    default:
      return [book, []]
  }
}

function readUser(state: ClaudeState, fields: Fields): Read {
  if (fields.isReplay === true) return [state, []]
  const metas = listIn(fields, 'tool_result_meta').map(fieldsOf)
  const content = listIn(fieldsIn(fields, 'message'), 'content').map(fieldsOf)
  let { book } = state
  const steps: ClaudeStep[] = []
  for (const block of content.filter((each) => textIn(each, 'type') === 'tool_result')) {
    const meta = metas.find((each) => each.id === block.tool_use_id) ?? {}
    const [next, told] = toolEnded(book, block, meta)
    book = next
    steps.push(...events(...told))
  }
  return [{ ...state, book }, steps]
}

function requestId(fields: Fields): RequestId | undefined {
  return textIn(fields, 'request_id') ?? numberIn(fields, 'request_id')
}

function readRequest({ book }: ClaudeState, fields: Fields, request: Fields): ClaudeStep[] {
  const id = requestId(fields)
  if (id === undefined) return []
  const tool = textIn(request, 'tool_name')
  if (textIn(request, 'subtype') !== 'can_use_tool' || tool === undefined) return [{ step: 'foreign', id }]
  const asked: ToolRequest = {
    id,
    tool,
    input: fieldsIn(request, 'input'),
    written: toolInput(book, textIn(request, 'tool_use_id')),
    description: textIn(request, 'description'),
    reason: textIn(request, 'decision_reason'),
    suggestions: listIn(request, 'permission_suggestions').map(fieldsOf),
    cwd: book.cwd,
  }
  return [{ step: 'request', request: asked }]
}

function readResult(before: ClaudeState, result: Fields): Read {
  const [bill, used] = billResult(before.bill, result)
  let { book } = before
  const unseen: AgentEvent[] = []
  for (const denial of listIn(result, 'permission_denials').map(fieldsOf)) {
    const [next, told] = toolRefused(book, {
      id: textIn(denial, 'tool_use_id'),
      name: textIn(denial, 'tool_name'),
      input: fieldsIn(denial, 'tool_input'),
    })
    book = next
    unseen.push(...told)
  }
  const isNothing = used.input + used.output + used.cached === 0 && !used.usd
  const counted: AgentEvent[] = isNothing ? [] : [{ type: 'usage', ...used, scope: 'turn' }]
  const state = { ...before, result, isTorn: false, bill, book }
  return [state, [...events(...unseen, ...counted), { step: 'result' }]]
}

/** The conversation that should be resumed does not exist. */
export function isLost({ mode, session, result }: ClaudeState): boolean {
  return mode !== 'new' && session === undefined && result?.num_turns === 0 && result.is_error === true
}

/** Without a single line it did not even begin: arguments or input were wrong, and stderr tells what. */
export function isUnbegun({ lines, result, apiError }: ClaudeState, exit: ChildExit): boolean {
  return lines === 0 && result === undefined && apiError === undefined && exit.code === 1
}

/** What the conversation came to by the words of the program; what its exit says is judged elsewhere. */
export function wordsOfClaude(state: ClaudeState, about: { hasSchema: boolean; now: number }): LastWords {
  const { result, apiError, resetsAt, book } = state
  const trouble = () =>
    classifyTrouble({ apiError, result, resetsAt, denied: book.refusedLast, now: about.now })
  if (isLost(state)) {
    return {
      said: 'failure',
      failure: failureOf('input', 'The conversation that should go on does not exist.'),
    }
  }
  if (!result) {
    if (apiError) return { said: 'failure', failure: trouble() }
    const missing = 'The agent ended without saying how it went, although its exit code is 0.'
    return { said: 'nothing', missing }
  }
  if (!isSuccess(result)) return { said: 'failure', failure: trouble() }
  if (state.isTorn) {
    const message = 'The agent printed a broken line after its result, so it does not count.'
    return { said: 'flawed', failure: failureOf('crash', message), hasResult: true }
  }
  const found = result.structured_output
  if (about.hasSchema && (found === undefined || found === null)) {
    const failure = failureOf('schema', 'The agent ended without a structured result.')
    return { said: 'flawed', failure, hasResult: true }
  }
  return { said: 'done', result: found, text: textIn(result, 'result') ?? '', hasResult: true }
}

/** The verdict of a result line, strictly: a missing sign is no success. */
function isSuccess(result: Fields): boolean {
  return result.is_error === false && result.subtype === 'success' && result.stop_reason !== 'refusal'
}

function events(...list: AgentEvent[]): ClaudeStep[] {
  return list.map((event) => ({ step: 'event', event }))
}

function windowUse(info: Fields, window: string | undefined): number | undefined {
  return window === undefined
    ? undefined
    : numberIn(fieldsIn(fieldsIn(info, 'unifiedWindows'), window), 'utilization')
}
