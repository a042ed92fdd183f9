import { Console } from 'node:console'
import type Anthropic from '@anthropic-ai/sdk'
import type { Messages } from '@anthropic-ai/sdk/resources/messages'
import type { Block } from './conversation.js'
import type { Billed } from './prices.js'
import type { Emit, Times } from './protocol.js'
import { Silence } from './retries.js'

/** One whole answer of the model, in a form that can be sent back. */
export interface ModelAnswer {
  content: Block[]
  stopReason: string | null
  text: string
  billed: Billed
  /** Tokens in the conversation after this answer. */
  contextTokens: number
}

export interface ModelRequest {
  model: string
  max_tokens: number
  system: Messages.TextBlockParam[]
  tools: Messages.Tool[]
  messages: Messages.MessageParam[]
}

export interface Model {
  /**
   * Streams one answer; throws what went wrong. `billed` is told what a request that broke off had cost by then.
   */
  ask(request: ModelRequest, signal: AbortSignal, billed: (cost: Billed) => void): Promise<ModelAnswer>
}

/** A timer that fires once; whoever starts it may restart or stop it before. */
export type StartTimer = (fire: () => void, ms: number) => { restart(): void; stop(): void }

const realTimer: StartTimer = (fire, ms) => {
  const timer = setTimeout(fire, ms)
  return { restart: () => void timer.refresh(), stop: () => clearTimeout(timer) }
}

export interface ModelOptions {
  baseURL?: string | undefined
  apiKey?: string | undefined
  authToken?: string | undefined
  times: Pick<Times, 'firstByteMs' | 'betweenMs'>
  emit: Emit
  /** Watches the silence of the server. Default: the clock of this machine. */
  startTimer?: StartTimer
}

/** A server that asks for no key still gets one, as the client demands it. */
const placeholderKey = 'no-key-needed'

/** Connects to a model server. The SDK is loaded here and nowhere else. */
export async function openModel(options: ModelOptions): Promise<Model> {
  const { default: Client } = await import('@anthropic-ai/sdk')
  const { authToken, times, emit } = options
  let sign: () => void = () => {}
  const apiKey = options.apiKey ?? (authToken === undefined ? placeholderKey : undefined)
  const client = new Client({
    apiKey: apiKey ?? null,
    authToken: authToken !== undefined && apiKey === undefined ? authToken : null,
    baseURL: options.baseURL,
    // Servers that speak an older protocol look for the key in this header.
    defaultHeaders:
      options.baseURL !== undefined && apiKey !== undefined ? { 'x-api-key': apiKey } : undefined,
    maxRetries: 0,
    // Ours is the clock; that of the client would end at the headers.
    timeout: times.firstByteMs + 60_000,
    // stdout carries events and nothing else.
    logger: new Console(process.stderr),
    fetch: (input, init) => fetchWithSigns(input, init, () => sign()),
  })
  let requests = 0

  return {
    async ask(request, signal, billed) {
      requests += 1
      const stop = new AbortController()
      const onAbort = () => stop.abort()
      if (signal.aborted) onAbort()
      signal.addEventListener('abort', onAbort, { once: true })
      const clock = startClock(times, () => stop.abort(), options.startTimer ?? realTimer)
      sign = clock.sign
      const seen = createTally()
      try {
        const answer = await readAnswer(client, request, {
          signal: stop.signal,
          emit,
          seen,
          number: requests,
        })
        return answer
      } catch (error) {
        if (seen.started()) billed(seen.billed())
        const silentMs = clock.silentMs()
        throw silentMs === undefined || signal.aborted ? error : new Silence(silentMs)
      } finally {
        clock.stop()
        signal.removeEventListener('abort', onAbort)
      }
    },
  }
}

interface Reading {
  signal: AbortSignal
  emit: Emit
  seen: Tally
  number: number
}

async function readAnswer(client: Anthropic, request: ModelRequest, reading: Reading): Promise<ModelAnswer> {
  const { emit, seen } = reading
  const stream = client.messages.stream(request, { signal: reading.signal })
  let whole = false
  for await (const event of stream) {
    seen.event(event)
    if (event.type === 'message_stop') whole = true
    if (event.type !== 'content_block_delta') continue
    const id = `${reading.number}.${event.index}`
    if (event.delta.type === 'text_delta') emit({ type: 'text', id, delta: event.delta.text })
    if (event.delta.type === 'thinking_delta') emit({ type: 'thinking', id, delta: event.delta.thinking })
  }
  const message = await stream.finalMessage()
  if (!whole || message.stop_reason === null) throw new Error('the answer was cut off in the middle')
  const billed = seen.billed()
  return {
    content: message.content.flatMap(sendable),
    stopReason: message.stop_reason,
    text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    billed,
    contextTokens: billed.input + billed.cacheRead + billed.cacheWrite + billed.output,
  }
}

/** What an answer may be sent back as: empty texts are refused, and calls carry only what a request knows. */
function sendable(block: Messages.ContentBlock): Block[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }]
    case 'tool_use':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: inputOf(block) }]
    case 'thinking':
      return [{ type: 'thinking', thinking: block.thinking, signature: block.signature }]
    case 'redacted_thinking':
      return [{ type: 'redacted_thinking', data: block.data }]
    default:
      // Tools of the server are not offered, so their blocks do not come.
      return []
  }
}

/** Reading the input parses it, and a cut one may not parse. */
function inputOf(block: Messages.ToolUseBlock): unknown {
  try {
    const { input } = block
    return typeof input === 'object' && input !== null ? input : {}
  } catch {
    return {}
  }
}

interface Tally {
  event(event: Messages.MessageStreamEvent): void
  started(): boolean
  billed(): Billed
}

/** Counts in a delta are totals of the answer so far: they replace, and what is missing stays. */
function createTally(): Tally {
  const sum: Billed = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  let started = false

  function take(usage: Partial<Messages.Usage> | Messages.MessageDeltaUsage | undefined): void {
    sum.input = usage?.input_tokens ?? sum.input
    sum.output = usage?.output_tokens ?? sum.output
    sum.cacheRead = usage?.cache_read_input_tokens ?? sum.cacheRead
    sum.cacheWrite = usage?.cache_creation_input_tokens ?? sum.cacheWrite
  }

  return {
    event(event) {
      if (event.type === 'message_start') {
        started = true
        take(event.message.usage)
      }
      if (event.type === 'message_delta') take(event.usage)
    },
    started: () => started,
    billed: () => ({ ...sum }),
  }
}

interface Clock {
  /** A byte came. */
  sign(): void
  /** How long it was silent, if that was too long. */
  silentMs(): number | undefined
  stop(): void
}

function startClock(
  times: Pick<Times, 'firstByteMs' | 'betweenMs'>,
  tooLong: () => void,
  startTimer: StartTimer,
): Clock {
  let limit = times.firstByteMs
  let silent: number | undefined
  const fire = () => {
    silent = limit
    tooLong()
  }
  let timer = startTimer(fire, limit)
  return {
    sign() {
      if (silent !== undefined) return
      if (limit === times.betweenMs) {
        timer.restart()
        return
      }
      timer.stop()
      limit = times.betweenMs
      timer = startTimer(fire, limit)
    },
    silentMs: () => silent,
    stop: () => timer.stop(),
  }
}

/** The stream of the SDK hides pings, so signs of life are taken from the bytes themselves. */
async function fetchWithSigns(
  input: Parameters<typeof fetch>[0],
  init: Parameters<typeof fetch>[1],
  sign: () => void,
): Promise<Response> {
  const response = await fetch(input, init)
  if (!response.body) return response
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sign()
      controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(watch), { status, statusText, headers })
}
