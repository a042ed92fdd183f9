import { saysContextFull } from '../agents/error-words.js'
import { plausibleReset, resetFromWords } from '../agents/reset-time.js'
import { aboutText } from '../durations.js'
import type { Emit, Failure, Times } from './protocol.js'
import { interrupted } from './protocol.js'

// The client itself retries nothing: it would obey any retry-after in silence (docs/agents.md, "Embedded agent").
// Every pause here is announced before it begins.

/** Requests per turn at most. */
export const maxTries = 5
/** A short usage limit is waited for this often in a row. */
const maxShortWaits = 10
const maxBackoffMs = 60_000

/** What an error of a request means. */
export type Verdict =
  | { kind: 'fatal'; failure: Failure }
  /** A usage limit; `waitMs` is undefined where the server did not say how long. */
  | { kind: 'limit'; waitMs?: number | undefined; resetsAt?: number | undefined; cause: string }
  | {
      kind: 'passing'
      error: 'overloaded' | 'network' | 'timeout'
      cause: string
      waitMs?: number | undefined
    }

/** No byte came for so long. */
export class Silence extends Error {
  constructor(readonly afterMs: number) {
    super(`the model server was silent for ${aboutText(Math.ceil(afterMs / 1000) * 1000)}`)
    this.name = 'Silence'
  }
}

interface ApiFacts {
  name: string
  message: string
  status?: number | undefined
  type?: string | undefined
  header(name: string): string | undefined
}

/** @param now epoch milliseconds, for headers that name a point in time */
export function judgeError(error: unknown, now: number): Verdict {
  const facts = readFacts(error)
  const { status, type, message } = facts
  const fatal = (kind: Failure['error'], text = message): Verdict => ({
    kind: 'fatal',
    failure: { error: kind, message: text, retry: 'never' },
  })

  if (error instanceof Silence) return { kind: 'passing', error: 'timeout', cause: message }
  if (facts.name === 'APIUserAbortError') return { kind: 'fatal', failure: interrupted }
  if (status === 401 || type === 'authentication_error') return fatal('auth', authMessage(message))
  if (type === 'billing_error' || status === 402 || /credit balance is too low/i.test(message)) {
    return fatal('billing', `The account cannot pay for this: ${message}`)
  }
  if (status === 403 || type === 'permission_error') return fatal('auth', authMessage(message))
  if (status === 429) return limitOf(facts, now)
  if (status === 413 || saysContextFull(message)) {
    return fatal('context', `The conversation no longer fits the model: ${message}`)
  }
  if (status === 404) {
    return fatal('input', `${message}. Is the model name right, and the base URL without /v1?`)
  }
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 409) {
    return fatal('input', `The model server refused the request: ${message}`)
  }
  if (type === 'invalid_request_error' || type === 'not_found_error') return fatal('input')
  if (status !== undefined || type !== undefined) {
    const waitMs = retryAfterMs(facts, now)
    return { kind: 'passing', error: 'overloaded', cause: message, waitMs }
  }
  return { kind: 'passing', error: 'network', cause: message === '' ? 'the connection broke' : message }
}

export interface RetryKit {
  emit: Emit
  times: Pick<Times, 'backoffMs' | 'shortLimitMs'>
  signal: AbortSignal
  /** Epoch milliseconds. */
  now(): number
  /** From 0 to 1. */
  random(): number
  /** Settles early when the signal fires. */
  sleep(ms: number): Promise<void>
}

export type Tried<Value> = { ok: true; value: Value } | { ok: false; failure: Failure }

/** Repeats a request while what stops it will pass; each pause is told as an event before it begins. */
export async function withRetries<Value>(
  attempt: () => Promise<Value>,
  kit: RetryKit,
): Promise<Tried<Value>> {
  let tries = 0
  let shortWaits = 0
  for (;;) {
    if (kit.signal.aborted) return { ok: false, failure: interrupted }
    let verdict: Verdict
    try {
      return { ok: true, value: await attempt() }
    } catch (error) {
      if (kit.signal.aborted) return { ok: false, failure: interrupted }
      verdict = judgeError(error, kit.now())
    }
    if (verdict.kind === 'fatal') return { ok: false, failure: verdict.failure }

    if (verdict.kind === 'limit' && verdict.waitMs !== undefined) {
      const isShort = verdict.waitMs < kit.times.shortLimitMs && shortWaits < maxShortWaits
      if (!isShort) return { ok: false, failure: reached(verdict, kit.emit) }
      shortWaits += 1
      await pause(kit, { attempt: shortWaits, delayMs: verdict.waitMs, cause: verdict.cause })
      continue
    }

    tries += 1
    if (tries >= maxTries) return { ok: false, failure: exhausted(verdict, kit.emit) }
    const asked = verdict.waitMs !== undefined && verdict.waitMs < kit.times.shortLimitMs ? verdict.waitMs : 0
    const delayMs = Math.round(Math.max(asked, backoff(tries, kit)))
    await pause(kit, { attempt: tries, max: maxTries - 1, delayMs, cause: verdict.cause })
  }
}

/** Doubles with each try; up to half of it is left to chance, so that many agents do not come back at once. */
function backoff(tries: number, kit: RetryKit): number {
  const whole = Math.min(maxBackoffMs, kit.times.backoffMs * 2 ** (tries - 1))
  return whole / 2 + (whole / 2) * kit.random()
}

async function pause(
  kit: RetryKit,
  told: { attempt: number; max?: number; delayMs: number; cause: string },
): Promise<void> {
  kit.emit({ type: 'retry', ...told })
  await kit.sleep(told.delayMs)
}

function reached(verdict: Extract<Verdict, { kind: 'limit' }>, emit: Emit): Failure {
  const { resetsAt, cause } = verdict
  emit({ type: 'limit', status: 'rejected', resetsAt })
  return { error: 'limit', message: `The usage limit is reached: ${cause}`, resetsAt, retry: 'later' }
}

function exhausted(verdict: Exclude<Verdict, { kind: 'fatal' }>, emit: Emit): Failure {
  if (verdict.kind === 'limit') return reached(verdict, emit)
  const message = `The model server could not be reached in ${maxTries} tries: ${verdict.cause}`
  return { error: verdict.error, message, retry: 'later' }
}

function limitOf(facts: ApiFacts, now: number): Verdict {
  const asked = retryAfterMs(facts, now)
  const reset = Number(facts.header('anthropic-ratelimit-unified-reset')) * 1000
  const untilReset = reset > now ? reset - now : undefined
  const said = resetFromWords(facts.message, now)
  const waitMs = asked ?? untilReset ?? (said === undefined ? undefined : said - now)
  if (waitMs === undefined) return { kind: 'limit', cause: facts.message }
  const resetsAt = plausibleReset(Math.round(now + waitMs), now)
  return { kind: 'limit', waitMs, resetsAt, cause: facts.message }
}

/** Seconds or a date, as HTTP allows both. */
function retryAfterMs(facts: ApiFacts, now: number): number | undefined {
  const text = facts.header('retry-after')
  if (text === undefined || text.trim() === '') return undefined
  const seconds = Number(text)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined
}

function authMessage(message: string): string {
  return `The key was refused: ${message}. Check ANTHROPIC_API_KEY.`
}

/** Reads an error by its fields, so that the SDK need not be loaded to judge one. */
function readFacts(error: unknown): ApiFacts {
  if (!(error instanceof Error)) return { name: '', message: String(error), header: () => undefined }
  const status = field(error, 'status')
  const type = field(error, 'type')
  const headers = field(error, 'headers')
  return {
    name: error.name,
    message: withCause(error),
    status: typeof status === 'number' ? status : undefined,
    type: typeof type === 'string' ? type : undefined,
    header: (name) => (headers instanceof Headers ? (headers.get(name) ?? undefined) : undefined),
  }
}

function field(error: Error, name: string): unknown {
  return Reflect.get(error, name)
}

/** `fetch failed` alone helps nobody: what it was caused by is told too. */
function withCause(error: Error): string {
  const said = field(error, 'apiMessage')
  const own = typeof said === 'string' && said !== '' ? said : error.message
  const causes: string[] = []
  let cause = error.cause
  while (cause instanceof Error && causes.length < 3) {
    if (cause.message !== '' && !own.includes(cause.message)) causes.push(cause.message)
    cause = cause.cause
  }
  return [own.replace(/\.$/, ''), ...causes].join(': ')
}
