import type { Answer, Billing, ModelRequest } from '../turn.js'

export interface WireError {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** One event of a stream. `named`: it carries an `event:` line too. */
export interface WireEvent {
  name?: string
  data: unknown
  /** A piece of text or thinking: what pace and cut count. */
  piece?: boolean
}

/** How one API reads a request and says an answer. */
export interface Protocol {
  read(body: unknown, context: { url: string; userAgent: string }): ModelRequest
  /** The answer as a stream, in order. */
  events(answer: Extract<Answer, { kind: 'turn' }>, spec: Wire): WireEvent[]
  /** The answer in one piece. */
  whole(answer: Extract<Answer, { kind: 'turn' }>, spec: Wire): unknown
  error(answer: Extract<Answer, { kind: 'error' }>): WireError
}

export interface Wire {
  /** Unique in the server's life; ids are made from it. */
  serial: number
  model: string
  billing: Billing
}

export const seconds = (ms: number): number => Math.floor(ms / 1000)

/** Seconds until a reset, at least one. */
export function retryAfterOf(answer: { retryAfter?: number; resetsAt?: number }): number | undefined {
  if (answer.retryAfter !== undefined) return answer.retryAfter
  if (answer.resetsAt === undefined) return undefined
  return Math.max(1, seconds(answer.resetsAt - Date.now()))
}
