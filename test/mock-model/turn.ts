// What every protocol has in common: a request as the mock reads it, and the answer as a scenario gives it.

export type Client = 'claude' | 'embedded' | 'codex' | 'gemini' | 'opencode'

export interface Tool {
  name: string
  /** JSON Schema of the input; codex has tools that take plain text and therefore none. */
  schema?: { properties?: Record<string, unknown> } & Record<string, unknown>
}

export type Part =
  | { type: 'text'; text: string }
  | { type: 'call'; id: string; name: string; input: unknown }
  | { type: 'result'; id: string; text: string; failed: boolean }

export interface Message {
  role: 'user' | 'assistant' | 'system'
  parts: Part[]
}

/** What a client asked, the same for all protocols. */
export interface ModelRequest {
  client: Client
  model: string
  system: string
  messages: Message[]
  tools: Tool[]
  /** Text of the last message of the user that holds any. */
  lastUserText: string
  /** Results of tools since the last message of the model. */
  toolResults: Extract<Part, { type: 'result' }>[]
  /** The client demands that the answer is bare JSON of this schema. */
  answerSchema?: unknown
  stream: boolean
  /** A side errand of the client, such as a title: no tools are offered. */
  aside: boolean
}

export interface Call {
  name: string
  input: unknown
  /** The tool takes plain text (codex: apply_patch). */
  plain?: boolean
}

/** Tokens of one answer as they go onto the wire. `input` counts what was neither read from nor written to a cache. */
export interface Billing {
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
}

export interface Turn {
  thinking?: string
  text?: string
  calls?: Call[]
  /** Default: a number of its own for every request, so that a sum tells which requests are in it. */
  billing?: Partial<Billing>
  /** Characters in each piece of text that is streamed; default 24. */
  pieceSize?: number
}

export type Answer =
  | ({ kind: 'turn' } & Turn & {
        /** Pause before each piece of text, in milliseconds. */
        paceMs?: number
        /** The connection is torn down after this many pieces. */
        cutAfter?: number
      })
  | { kind: 'error'; status: number; reason: ErrorReason; resetsAt?: number; retryAfter?: number }
  /** Reads the request and never answers. */
  | { kind: 'hang' }

export type ErrorReason = 'auth' | 'rate' | 'usage-limit' | 'server' | 'overloaded' | 'missing' | 'invalid'

/** @param count how many requests of this scenario came before, asides excepted */
export type Scenario = (request: ModelRequest, count: number) => Answer | Promise<Answer>

export function turn(fields: Turn & { paceMs?: number; cutAfter?: number }): Answer {
  return { kind: 'turn', ...fields }
}

/** A text in pieces of some words, as models stream it. */
export function pieces(text: string, size = 24): string[] {
  const found: string[] = []
  const characters = [...text]
  for (let at = 0; at < characters.length; at += size) found.push(characters.slice(at, at + size).join(''))
  return found
}

export function textOf(message: Message): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
}

/** Derives what scenarios look at most from the conversation. */
export function finishRequest(
  read: Omit<ModelRequest, 'lastUserText' | 'toolResults' | 'aside'>,
): ModelRequest {
  const said = read.messages.filter((message) => message.role === 'user' && textOf(message).trim() !== '')
  const last = said[said.length - 1]
  const lastAnswer = read.messages.findLastIndex((message) => message.role === 'assistant')
  const results = read.messages.slice(lastAnswer + 1).flatMap((message) => message.parts)
  return {
    ...read,
    lastUserText: last ? textOf(last) : '',
    toolResults: results.flatMap((part) => (part.type === 'result' ? part : [])),
    aside: read.tools.length === 0,
  }
}

/** Answer to a side errand that wants a text. */
export const exampleTitle = 'A mock title'
