import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { isTooDeep } from '../../documents/json-depth.js'

// Lines of the child on one side, messages of the protocol library on the other. Lines are checked here, because the
// library answers a bad one and waits on, and because it reports to the console, which is the screen.

export interface WireSink {
  /** Sends a line; the line feed is part of it. */
  write(text: string): void
  /** A message came in: the agent is alive. */
  alive(): void
  /** Params of `session/update`, in the order of the stream. */
  update(params: unknown): void
  /** A request of ours is answered; what follows in the stream came later. */
  answered(): void
  /** A line that is no message, such as a banner. */
  noise(line: string): void
  /** What should have been a message cannot be read, so that something is lost. */
  damaged(line: string): void
}

export interface Wire {
  stream: Stream
  line(text: string, terminated: boolean): void
  /** Nothing more will come: open requests fail. */
  end(): void
}

export function createWire(sink: WireSink): Wire {
  const asked = new Set<unknown>()
  const answered = new Set<unknown>()
  let controller: ReadableStreamDefaultController<AnyMessage> | undefined
  let ended = false

  const readable = new ReadableStream<AnyMessage>({
    start(made) {
      controller = made
    },
    cancel() {
      ended = true
    },
  })
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      if ('method' in message && 'id' in message) asked.add(message.id)
      sink.write(`${JSON.stringify(message)}\n`)
    },
  })

  function take(message: Message): void {
    sink.alive()
    switch (message.kind) {
      case 'other':
        return
      case 'update':
        sink.update(message.params)
        return
      case 'request':
        pass(message.value)
        return
      case 'answer':
        // A second answer to the same request changes nothing; one to no request was meant for another.
        if (answered.has(message.id)) sink.noise(JSON.stringify(message.value))
        else if (!asked.has(message.id)) sink.damaged(JSON.stringify(message.value))
        else {
          answered.add(message.id)
          sink.answered()
          pass(message.value)
        }
    }
  }

  function pass(value: AnyMessage): void {
    if (!ended) controller?.enqueue(value)
  }

  return {
    stream: { readable, writable },
    line(text, terminated) {
      if (text.trim() === '') return
      const message = readMessage(text, terminated)
      if (message === 'noise') sink.noise(text)
      else if (message === 'damaged') sink.damaged(text)
      else take(message)
    },
    end() {
      if (ended) return
      ended = true
      controller?.close()
    },
  }
}

type Message =
  | { kind: 'update'; params: unknown }
  | { kind: 'answer'; id: unknown; value: AnyMessage }
  | { kind: 'request'; value: AnyMessage }
  | { kind: 'other' }

function readMessage(text: string, terminated: boolean): Message | 'noise' | 'damaged' {
  const trimmed = text.trim()
  const value = parse(trimmed)
  if (value === undefined) {
    const isTorn = trimmed.startsWith('{') || trimmed.includes('"jsonrpc"') || /[\0\ufffd]/.test(trimmed)
    return isTorn || !terminated ? 'damaged' : 'noise'
  }
  if (value.jsonrpc !== '2.0') {
    return 'jsonrpc' in value || 'id' in value || 'method' in value ? 'damaged' : 'noise'
  }
  if ('method' in value) {
    if (typeof value.method !== 'string') return 'damaged'
    if ('id' in value) return isId(value.id) ? { kind: 'request', value: asMessage(value) } : 'damaged'
    return value.method === 'session/update' ? { kind: 'update', params: value.params } : { kind: 'other' }
  }
  const hasError = 'error' in value
  if (!isId(value.id) || hasError === 'result' in value) return 'damaged'
  if (hasError && !isError(value.error)) return 'damaged'
  // Without an id it tells that a message of ours was not understood.
  if (value.id === null) return 'damaged'
  return { kind: 'answer', id: value.id, value: asMessage(value) }
}

function parse(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{') || isTooDeep(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isId(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'number'
}

function isError(value: unknown): boolean {
  return isRecord(value) && Number.isInteger(value.code) && typeof value.message === 'string'
}

/** The parts that make it one were checked above. */
function asMessage(value: Record<string, unknown>): AnyMessage {
  return value as unknown as AnyMessage
}
