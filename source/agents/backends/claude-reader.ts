import { crashMessage, spawnMessage, timeoutMessage } from '../../processes/child-end.js'
import type { ChildExit } from '../../processes/supervisor.js'
import type { AgentEvent, Outcome, TokenUsage } from '../agent.js'
import { type Fields, fieldsIn, fieldsOf, listIn, numberIn, parseFields, textIn } from '../fields.js'
import { plausibleReset } from '../reset-time.js'
import type { ToolRequest } from './claude-asks.js'
import { type ClaudeFailure, classifyTrouble, failureOf, signInAdvice } from './claude-errors.js'
import { createToolBook } from './claude-tool-book.js'
import { openBill } from './claude-usage.js'

/** What a line of Claude Code means to its host. */
export type ClaudeStep =
  | { step: 'event'; event: AgentEvent }
  | { step: 'request'; request: ToolRequest }
  /** A request that this host does not know; it wants an answer all the same. */
  | { step: 'foreign'; id: string }
  | { step: 'withdrawn'; id: string }
  /** The turn is over; more may follow. */
  | { step: 'result' }
  /** Going on is useless: stop the program. */
  | { step: 'hopeless' }

export interface ReaderOptions {
  cwd: string
  /** Milliseconds since the epoch. */
  now(): number
  mode: 'new' | 'resume' | 'fork'
  /** A result of a schema was asked for. */
  hasSchema: boolean
}

/** How the program ended; the name it was started with and its wall clock are told to the person. */
export interface ClaudeEnd {
  exit: ChildExit
  file: string
  wallMs: number
}

export interface ClaudeReader {
  /** Reads one line of stdout. Never throws, and ignores what it does not know. */
  line(text: string): ClaudeStep[]
  /** A turn begins in a conversation that is already open. */
  beginTurn(): void
  /** The turn was interrupted and the program waits for the next one. */
  interrupted(): Outcome
  /** What the conversation came to, by all signs together (agents.md section 1). */
  outcome(end: ClaudeEnd): Outcome
  /** Tokens that no result line accounts for. */
  unbilled(): TokenUsage | undefined
  /** The conversation that should be resumed does not exist. */
  isLost(): boolean
  sessionId(): string | undefined
}

/** Turns the lines of one process into events and, at its end, an outcome. Pure but for the clock it is given. */
export function createClaudeReader(options: ReaderOptions): ClaudeReader {
  const bill = openBill(options.mode === 'new')
  const book = createToolBook(options.cwd)
  const blocks = new Map<string, number>()
  const messages = new Map<string, string>()
  let session: { id: string; model?: string } | undefined
  let lines = 0
  let result: Fields | undefined
  let apiError: Fields | undefined
  let hopeless: ClaudeFailure | undefined
  let resetsAt: number | undefined
  let isTorn = false

  function line(text: string): ClaudeStep[] {
    if (text.trim() === '') return []
    lines += 1
    const fields = parseFields(text)
    if (fields) return read(fields)
    // The rest of a line that was cut may have been anything, also a second result.
    if (text.trimStart().startsWith('{')) isTorn = true
    return events({ type: 'log', stream: 'stdout', line: text })
  }

  function read(fields: Fields): ClaudeStep[] {
    switch (textIn(fields, 'type')) {
      case 'system':
        return readSystem(fields)
      case 'stream_event':
        return readStream(fields, fieldsIn(fields, 'event'))
      case 'assistant':
        return readAssistant(fields)
      case 'user':
        return readUser(fields)
      case 'rate_limit_event':
        return readLimit(fieldsIn(fields, 'rate_limit_info'))
      case 'control_request':
        return readRequest(fields, fieldsIn(fields, 'request'))
      case 'control_cancel_request':
        return [{ step: 'withdrawn', id: textIn(fields, 'request_id') ?? '' }]
      case 'result':
        return readResult(fields)
      default:
        return []
    }
  }

  function readSystem(fields: Fields): ClaudeStep[] {
    switch (textIn(fields, 'subtype')) {
      case 'init':
        return readInit(fields)
      case 'api_retry':
        return readRetry(fields)
      case 'permission_denied':
        return events(...book.refused(textIn(fields, 'tool_use_id'), textIn(fields, 'tool_name'), {}))
      default:
        return []
    }
  }

  function readInit(fields: Fields): ClaudeStep[] {
    beginTurn()
    book.movedTo(textIn(fields, 'cwd'))
    const id = textIn(fields, 'session_id')
    const model = textIn(fields, 'model')
    if (id === undefined || (session?.id === id && session.model === model)) return []
    session = { id, model }
    const auth = textIn(fields, 'apiKeySource')
    const version = textIn(fields, 'claude_code_version')
    return events({ type: 'session', id, model, auth, version })
  }

  function readRetry(fields: Fields): ClaudeStep[] {
    const status = numberIn(fields, 'error_status')
    const named = textIn(fields, 'error') ?? 'error'
    const cause = status === undefined ? named : `${named} (${status})`
    const delayMs = numberIn(fields, 'retry_delay_ms')
    const max = numberIn(fields, 'max_retries')
    const steps = events({ type: 'retry', attempt: numberIn(fields, 'attempt') ?? 1, max, delayMs, cause })
    if (status !== 401 && status !== 403) return steps
    hopeless = failureOf('auth', signInAdvice(`The model server refused the sign-in: ${cause}.`))
    return [...steps, { step: 'hopeless' }]
  }

  function readLimit(info: Fields): ClaudeStep[] {
    const status = textIn(info, 'status')
    const window = textIn(info, 'rateLimitType')
    const used = numberIn(info, 'utilization') ?? windowUse(info, window)
    const isRejected = status === 'rejected'
    const seconds = numberIn(info, 'resetsAt')
    const at = plausibleReset(seconds === undefined ? undefined : seconds * 1000, options.now())
    resetsAt = isRejected ? at : undefined
    if (!isRejected && status !== 'allowed_warning' && (used ?? 0) < 0.8) return []
    const usedPct = used === undefined ? undefined : Math.round(used * 1000) / 10
    return events({
      type: 'limit',
      status: isRejected ? 'rejected' : 'warning',
      resetsAt: at,
      window,
      usedPct,
    })
  }

  function readStream(fields: Fields, event: Fields): ClaudeStep[] {
    const scope = textIn(fields, 'parent_tool_use_id') ?? ''
    const message = textIn(fields, 'api_message_id') ?? messages.get(scope)
    switch (textIn(event, 'type')) {
      case 'message_start': {
        beginTurn()
        const opened = fieldsIn(event, 'message')
        const id = textIn(opened, 'id') ?? ''
        messages.set(scope, id)
        bill.answering(id, fieldsIn(opened, 'usage'))
        return []
      }
      case 'message_delta':
        if (message !== undefined && 'usage' in event) bill.answering(message, fieldsIn(event, 'usage'))
        return []
      case 'content_block_delta':
        return readDelta(fields, event, message ?? 'message')
      default:
        return []
    }
  }

  function readDelta(fields: Fields, event: Fields, message: string): ClaudeStep[] {
    const delta = fieldsIn(event, 'delta')
    const id = `${message}:${numberIn(event, 'index') ?? 0}`
    const agent = book.agentOf(fields)
    const text = textIn(delta, 'text')
    const thought = textIn(delta, 'thinking')
    if (text !== undefined) return events({ type: 'text', id, delta: text, agent })
    return thought === undefined ? [] : events({ type: 'thinking', id, delta: thought, agent })
  }

  function readAssistant(fields: Fields): ClaudeStep[] {
    const agent = book.agentOf(fields)
    if (agent === undefined) beginTurn()
    if (fields.is_api_error_message === true) {
      if (agent === undefined) apiError = fields
      return []
    }
    const message = fieldsIn(fields, 'message')
    const id = textIn(message, 'id') ?? 'message'
    return listIn(message, 'content').flatMap((each) => {
      const index = blocks.get(id) ?? 0
      blocks.set(id, index + 1)
      return readBlock(fieldsOf(each), `${id}:${index}`, agent)
    })
  }

  function readBlock(block: Fields, id: string, agent: string | undefined): ClaudeStep[] {
    const text = textIn(block, 'text')
    const thought = textIn(block, 'thinking')
    switch (textIn(block, 'type')) {
      case 'text':
        return text ? events({ type: 'text', id, full: text, agent }) : []
      case 'thinking':
        return thought ? events({ type: 'thinking', id, full: thought, agent }) : []
      case 'tool_use':
        return events(...book.started(block, agent))
      default:
        return []
    }
  }

  function readUser(fields: Fields): ClaudeStep[] {
    if (fields.isReplay === true) return []
    const metas = listIn(fields, 'tool_result_meta').map(fieldsOf)
    const content = listIn(fieldsIn(fields, 'message'), 'content').map(fieldsOf)
    const results = content.filter((block) => textIn(block, 'type') === 'tool_result')
    return results.flatMap((block) => {
      const meta = metas.find((each) => each.id === block.tool_use_id) ?? {}
      return events(...book.ended(block, meta))
    })
  }

  function readRequest(fields: Fields, request: Fields): ClaudeStep[] {
    const id = textIn(fields, 'request_id')
    if (id === undefined) return []
    const tool = textIn(request, 'tool_name')
    if (textIn(request, 'subtype') !== 'can_use_tool' || tool === undefined) return [{ step: 'foreign', id }]
    return [
      {
        step: 'request',
        request: {
          id,
          tool,
          input: fieldsIn(request, 'input'),
          written: book.inputOf(textIn(request, 'tool_use_id')),
          description: textIn(request, 'description'),
          reason: textIn(request, 'decision_reason'),
          suggestions: listIn(request, 'permission_suggestions').map(fieldsOf),
          cwd: book.cwd(),
        },
      },
    ]
  }

  function readResult(fields: Fields): ClaudeStep[] {
    result = fields
    isTorn = false
    const used = bill.result(fields)
    const denials = listIn(fields, 'permission_denials').map(fieldsOf)
    const unseen = denials.flatMap((denial) =>
      book.refused(
        textIn(denial, 'tool_use_id'),
        textIn(denial, 'tool_name'),
        fieldsIn(denial, 'tool_input'),
      ),
    )
    const isNothing = used.input + used.output + used.cached === 0 && !used.usd
    const counted: AgentEvent[] = isNothing ? [] : [{ type: 'usage', ...used, scope: 'turn' }]
    return [...events(...unseen, ...counted), { step: 'result' }]
  }

  /** What was said of an earlier turn no longer counts. */
  function beginTurn(): void {
    if (result === undefined) return
    result = undefined
    apiError = undefined
  }

  function settle(failure: ClaudeFailure): Outcome {
    return { ok: false, ...failure, usage: bill.total() }
  }

  function trouble(): ClaudeFailure {
    return classifyTrouble({ apiError, result, resetsAt, denied: book.wasRefusedLast(), now: options.now() })
  }

  function isLost(): boolean {
    const isNothing = session === undefined && result?.num_turns === 0 && result.is_error === true
    return options.mode !== 'new' && isNothing
  }

  function outcome({ exit, file, wallMs }: ClaudeEnd): Outcome {
    if (exit.spawnError) return settle(failureOf('spawn', spawnMessage(exit.spawnError, file, options.cwd)))
    if (hopeless) return settle(hopeless)
    if (exit.stopped === 'aborted') return settle(failureOf('aborted', 'The agent was stopped.'))
    if (exit.stopped) return settle(failureOf('timeout', timeoutMessage(exit.stopped, wallMs)))
    if (isLost()) return settle(failureOf('input', 'The conversation that should go on does not exist.'))
    if (!result) return settle(apiError ? trouble() : withoutResult(exit))
    if (!isSuccess(result)) return settle(trouble())
    if (exit.code !== 0) return settle(failureOf('crash', crashMessage(exit, true)))
    if (isTorn) {
      return settle(
        failureOf('crash', 'The agent printed a broken line after its result, so it does not count.'),
      )
    }
    const found = result.structured_output
    if (options.hasSchema && (found === undefined || found === null)) {
      return settle(failureOf('schema', 'The agent ended without a structured result.'))
    }
    return { ok: true, result: found, text: textIn(result, 'result') ?? '', usage: bill.total() }
  }

  function withoutResult(exit: ChildExit): ClaudeFailure {
    // Without a single line it did not even begin: arguments or input were wrong, and stderr tells what.
    if (lines === 0 && exit.code === 1) return failureOf('input', crashMessage(exit))
    if (exit.code !== 0) return failureOf('crash', crashMessage(exit))
    return failureOf('crash', 'The agent ended without saying how it went, although its exit code is 0.')
  }

  return {
    line,
    beginTurn,
    interrupted: () => settle(failureOf('aborted', 'The agent was interrupted.')),
    outcome,
    unbilled: () => bill.rest(),
    isLost,
    sessionId: () => session?.id,
  }
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
