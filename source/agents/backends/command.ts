import { access, constants } from 'node:fs/promises'
import { resolve } from 'node:path'
import { crashMessage, leftoverLine, spawnMessage, timeoutMessage } from '../../processes/child-end.js'
import { findOnPath } from '../../processes/find-program.js'
import { type ChildExit, startChild } from '../../processes/supervisor.js'
import type { AgentEvent, Backend, Conversation, OpenRequest, Outcome, TokenUsage } from '../agent.js'
import { addUsage, type EndLine, noUsage, parseEventLine } from '../events.js'
import { type JsonBlock, readJsonBlock } from '../result.js'
import { createTextRecord } from '../text-record.js'

// Any program as an agent (design.md section 4, agents.md section 5): the prompt on stdin, then end of input; text or
// JSON lines on stdout; the exit code and the result decide.

export interface CommandOptions {
  id?: 'command' | 'rehearsal'
  /** Shown to the person. Default: id and the command. */
  label?: string
}

/** Text of a finished agent that is handed on, in characters from its end. */
const textTail = 64 * 1024

/** @param argv program and arguments; a program with a slash is looked up from the project directory */
export function commandBackend(argv: readonly string[], options: CommandOptions = {}): Backend {
  const id = options.id ?? 'command'
  const [file = '', ...args] = argv
  return {
    id,
    label: options.label ?? `${id}: ${argv.join(' ')}`,
    caps: {
      deltas: false,
      ask: false,
      steer: false,
      schema: false,
      cost: false,
      resetTime: false,
      resume: false,
      turnLimit: false,
    },
    // A program may think in silence for as long as it likes; only the wall clock limits it.
    silence: { firstMs: 0, idleMs: 0 },
    async detect() {
      const path = file.includes('/') ? await executable(resolve(file)) : await findOnPath(file)
      return path === undefined ? undefined : { path, version: '', auth: 'unknown' }
    },
    async open(request, sink) {
      return converse(file, args, request, sink)
    },
  }
}

function converse(
  file: string,
  args: string[],
  request: OpenRequest,
  sink: (event: AgentEvent) => void,
): Conversation {
  const record = createTextRecord()
  let usage: TokenUsage = noUsage
  let sessionId: string | undefined
  let end: EndLine | undefined
  let lines = 0

  function onLine(text: string): void {
    child.touch()
    const event = parseEventLine(text)
    if (event === undefined) {
      lines += 1
      record.line(text)
      sink({ type: 'text', id: `line-${lines}`, full: text })
      return
    }
    if (event.type === 'end') {
      end = event
      return
    }
    if (event.type === 'ask') {
      const line = `asked "${event.title}", but an agent of this kind cannot be answered`
      sink({ type: 'log', stream: 'stdout', line })
      return
    }
    if (event.type === 'session') sessionId = event.id
    if (event.type === 'usage') usage = addUsage(usage, event)
    if (event.type === 'text') {
      if (event.full !== undefined) record.full(event.id, event.full)
      else record.delta(event.id, event.delta ?? '')
    }
    sink(event)
  }

  const child = startChild({
    file,
    args,
    cwd: request.cwd,
    env: request.env,
    runId: request.runId,
    dispatchId: request.dispatchId,
    input: request.prompt,
    limits: request.limits,
    raw: request.raw,
    line: onLine,
    errorLine: (line) => sink({ type: 'log', stream: 'stderr', line }),
    skipped: (stream, bytes) => {
      const size = Math.ceil(bytes / (1024 * 1024))
      sink({ type: 'log', stream, line: `a line of ${size} MB was too long and is not read` })
    },
  })

  const done = child.exit.then((exit) => {
    const left = leftoverLine(exit)
    if (left !== undefined) sink({ type: 'log', stream: 'stderr', line: left })
    const outcome = judge({ file, request, exit, end, text: record.text(), usage: end?.usage ?? usage })
    sink({ type: 'end', outcome })
    return outcome
  })

  return {
    get sessionId() {
      return sessionId
    },
    pid: child.pid,
    done,
    send: () => 'unsupported',
    answer: () => {},
    async interrupt() {
      await child.stop('aborted')
    },
    pause: (on) => void child.pause(on),
    async close() {
      await child.stop('aborted')
      return done
    },
  }
}

interface Evidence {
  file: string
  request: OpenRequest
  exit: ChildExit
  end: EndLine | undefined
  text: string
  usage: TokenUsage
}

/** Success is exit code 0, and a result if one is expected, and that we did not stop it. */
function judge({ file, request, exit, end, text, usage }: Evidence): Outcome {
  const failure = (
    error: Extract<Outcome, { ok: false }>['error'],
    message: string,
    retry: 'now' | 'never',
  ) => ({ ok: false, error, message, retry, usage }) as const

  if (exit.spawnError) return failure('spawn', spawnMessage(exit.spawnError, file, request.cwd), 'never')
  if (exit.stopped === 'aborted') return failure('aborted', 'The agent was stopped.', 'now')
  if (exit.stopped) return failure('timeout', timeoutMessage(exit.stopped, request.limits.wallMs), 'now')
  if (end?.failure) return { ...end.failure, usage }
  if (exit.code !== 0) return failure('crash', crashMessage(exit, end?.result !== undefined), 'now')

  const block: JsonBlock = end?.result === undefined ? readJsonBlock(text) : { kind: 'none' }
  const result = end?.result ?? (block.kind === 'found' ? block.value : undefined)
  if (request.schema !== undefined && result === undefined) {
    return failure('schema', `The agent ended without a result. ${noResult(exit, block)}`, 'now')
  }
  return { ok: true, result, text: text.slice(-textTail), usage }
}

function noResult(exit: ChildExit, block: JsonBlock): string {
  if (exit.outputBytes === 0) return 'It printed nothing.'
  if (block.kind === 'broken') return `Its last json block ${block.message}.`
  return 'It printed no end line and no JSON block.'
}

async function executable(path: string): Promise<string | undefined> {
  return access(path, constants.X_OK).then(
    () => path,
    () => undefined,
  )
}
