import { locateProgram } from '../../processes/find-program.js'
import type { ChildExit } from '../../processes/supervisor.js'
import type { AgentEvent, Backend, Failure, OpenRequest } from '../agent.js'
import { type ChildLink, openChildConversation, type Protocol } from '../child-conversation.js'
import type { LastWords } from '../end-of-process.js'
import { saysContextFull, saysLimitReached, saysSpent, saysTooFast } from '../error-words.js'
import { type EndLine, type ParsedLine, parseEventLine } from '../events.js'
import { copyOf } from '../pane-line.js'
import { resetFromWords } from '../reset-time.js'
import { type JsonBlock, readJsonBlock } from '../result.js'
import { createTextRecord } from '../text-record.js'
import { runsOf } from './plain-runs.js'

// Any program as an agent (docs/agents.md, "The command agent"): the prompt on stdin, then end of input; text or
// JSON lines on stdout; the exit code and the result decide.

export interface CommandOptions {
  id?: 'command' | 'rehearsal'
  /** Shown to the person. Default: id and the command. */
  label?: string
}

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
      const path = await locateProgram(file)
      return path === undefined ? undefined : { path, version: '', auth: 'unknown' }
    },
    async open(request, sink) {
      return openChildConversation(
        { file, args, env: request.env, request, sink, input: request.prompt, isWatched: false },
        (link) => plainProtocol(link, request),
      )
    },
  }
}

/** What was heard of the program so far; its last event counts only once it has exited. */
interface Heard {
  session?: string
  end?: EndLine
  /** Results of its end lines before the last one; the newest of them. */
  before: readonly unknown[]
  /** An earlier end line told a failure. */
  hadFailed?: boolean
}

function plainProtocol(link: ChildLink, request: OpenRequest): Protocol {
  const record = createTextRecord()
  let heard: Heard = { before: [] }
  /** Texts that were no events. */
  let texts = 0

  /** `isPart`: the text is a part of a much larger one, which it would keep in memory. */
  function line(text: string, isPart: boolean): void {
    const event = parseEventLine(text)
    if (event === undefined) {
      const said = isPart ? copyOf(text) : text
      record.line(said)
      show(said)
      return
    }
    const [next, events] = readEvent(heard, event)
    heard = next
    for (const one of events) {
      if (one.type === 'text') record.take(one)
      link.emit(one)
    }
  }

  function show(text: string): void {
    texts += 1
    link.emit({ type: 'text', id: `line-${texts}`, full: text })
  }

  return {
    line(text) {
      link.alive()
      line(text, false)
    },
    lines(bytes) {
      link.alive()
      for (const run of runsOf(bytes)) {
        if (!run.isPlain) {
          for (const text of run.lines) line(text, true)
          continue
        }
        record.bytes(run.bytes)
        show(run.text)
      }
    },
    lastWords: (exit) => wordsOf(heard, record.text(), request, exit),
    usage: () => heard.end?.usage,
    sessionId: () => heard.session,
  }
}

function readEvent(heard: Heard, event: ParsedLine): [Heard, AgentEvent[]] {
  switch (event.type) {
    case 'end':
      return [ended(heard, event), []]
    case 'ask': {
      const line = `asked "${event.title}", but an agent of this kind cannot be answered`
      return [heard, [{ type: 'log', stream: 'stdout', line }]]
    }
    case 'session':
      return [{ ...heard, session: event.id }, [event]]
    default:
      return [heard, [event]]
  }
}

/** End lines that are kept beside the last one. */
const mostResults = 8

function ended(heard: Heard, end: EndLine): Heard {
  const { result, failure } = heard.end ?? {}
  const before = result === undefined ? heard.before : [...heard.before, result].slice(-mostResults)
  return { ...heard, end, before, ...(failure ? { hadFailed: true } : {}) }
}

/** Success needs a result if one is expected; its last event is not asked for. */
function wordsOf(
  { end, before, hadFailed }: Heard,
  text: string,
  request: OpenRequest,
  exit: ChildExit,
): LastWords {
  if (end?.failure) return { said: 'failure', failure: end.failure }
  if (hadFailed) {
    const message = 'The agent handed back two results: first that it failed, then that it is done.'
    return { said: 'flawed', failure: { error: 'schema', message, retry: 'never' } }
  }
  const block: JsonBlock = end?.result === undefined ? readJsonBlock(text) : { kind: 'none' }
  const result = end?.result ?? (block.kind === 'found' ? block.value : undefined)
  const hasResult = end?.result !== undefined
  if (request.schema === undefined || result !== undefined)
    return {
      said: 'done',
      result,
      text,
      ...(end?.raw === undefined ? {} : { raw: end.raw }),
      hasResult,
      others: before,
    }
  const failure = exit.code === 0 ? undefined : failureSaid(text, exit)
  if (failure !== undefined) return { said: 'failure', failure }
  const message = `The agent ended without a result. ${noResult(exit, block)}`
  return { said: 'flawed', failure: { error: 'schema', message, retry: 'now' } }
}

/** Lines from the end of what it said that can tell why it ended. */
const lastLines = 3
const lastCharacters = 4096

/** The last words of a program that ended with a failure, where they say that a usage limit is reached or a conversation full. */
function failureSaid(text: string, exit: ChildExit): Failure | undefined {
  const last = [exit.stderrTail, text.slice(-lastCharacters)].map((said) =>
    said.trim().split('\n').slice(-lastLines).join('\n'),
  )
  const full = last.find(saysContextFull)
  if (full !== undefined) return { error: 'context', message: full, retry: 'never' }
  const limit = last.find((said) => saysLimitReached(said) || (saysTooFast(said) && isTimed(said)))
  if (limit !== undefined) return { error: 'limit', message: limit, retry: 'later' }
  const busy = last.find(saysTooFast)
  return busy === undefined ? undefined : { error: 'overloaded', message: busy, retry: 'later' }
}

/** Too many requests for longer than a moment: it says so, or until when. */
function isTimed(said: string): boolean {
  return saysSpent(said) || resetFromWords(said, Date.now()) !== undefined
}

function noResult(exit: ChildExit, block: JsonBlock): string {
  if (exit.outputBytes === 0) return 'It printed nothing.'
  if (block.kind === 'broken') return `Its last json block ${block.message}.`
  return 'It printed no end line and no JSON block.'
}
