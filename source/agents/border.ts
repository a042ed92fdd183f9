import { counted } from '../counted.js'
import { deepest } from '../documents/json-depth.js'
import type { Failure, Outcome } from './agent.js'
import { plausibleReset, resetFromWords } from './reset-time.js'

// What an agent hands over is as large and as deep as it likes. Here it is checked before anybody else looks at it, so
// that records stay small and nothing overflows (docs/agents.md, "Results").

/** Characters of an error that are kept: half from its beginning, half from its end. */
export const messageCap = 16 * 1024
/** Characters of strings and keys, and values, that a result may hold. */
export const resultCap = 1024 * 1024
/** Characters of one string of a result that are kept. */
const stringCap = 256 * 1024

/** A text of at most `cap` characters and a word on what is left out of its middle. */
export function cappedText(text: string, cap: number = messageCap): string {
  if (text.length <= cap) return text
  const half = Math.floor(cap / 2)
  const isTorn = isHighSurrogate(text.charCodeAt(half - 1))
  const head = text.slice(0, isTorn ? half - 1 : half)
  const isTailTorn = isHighSurrogate(text.charCodeAt(text.length - half - 1))
  const tail = text.slice(isTailTorn ? text.length - half + 1 : text.length - half)
  return `${head}\n[... ${counted(text.length - head.length - tail.length, 'character')} left out ...]\n${tail}`
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** A value out of JSON as it can be kept, or what is wrong with it, to go on behind "the result". */
export type BoundedValue = { ok: true; value: unknown } | { ok: false; wrong: string }

/**
 * Caps the strings of a value, in place, and refuses one that is too deep or too large all the same. Walks without
 * recursion.
 */
export function boundedValue(value: unknown): BoundedValue {
  const root = { value }
  let size = 0
  let level: object[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return { ok: false, wrong: `is nested more than ${deepest} deep` }
    const next: object[] = []
    for (const holder of level) {
      size += Array.isArray(holder) ? holder.length : 1
      if (size > resultCap) return tooLarge
      for (const [key, inner] of Object.entries(holder)) {
        const kept = typeof inner === 'string' ? cappedText(inner, stringCap) : inner
        if (kept !== inner) Reflect.defineProperty(holder, key, { value: kept })
        if (typeof kept === 'object' && kept !== null) next.push(kept)
        size += (Array.isArray(holder) ? 0 : key.length) + (typeof kept === 'string' ? kept.length : 0)
      }
      if (size > resultCap) return tooLarge
    }
    level = next
  }
  return { ok: true, value: root.value }
}

const tooLarge = { ok: false, wrong: `is larger than ${resultCap / 1024 / 1024} MB` } as const

/** A failure as it is kept: its message capped, its time of reset believable and, where none was told, read in its words. */
export function boundedFailure<Kind extends Failure>(failure: Kind, nowMs: number): Kind {
  const bounded = { ...failure, message: cappedText(failure.message) }
  const resetsAt = resetOf(failure, nowMs)
  if (resetsAt !== undefined) return { ...bounded, resetsAt }
  const { resetsAt: _, ...rest } = bounded
  return rest as Kind
}

function resetOf({ error, message, resetsAt }: Failure, nowMs: number): number | undefined {
  if (error !== 'limit' && error !== 'overloaded') return undefined
  const told = plausibleReset(resetsAt, nowMs)
  return told ?? (error === 'limit' ? resetFromWords(message, nowMs) : undefined)
}

/** The outcome of a turn as everybody else gets it. A result that is too large is one that does not fit. */
export function boundedOutcome(outcome: Outcome, nowMs: number): Outcome {
  if (!outcome.ok) return boundedFailure(outcome, nowMs)
  if (outcome.result === undefined) return outcome
  const result = boundedValue(outcome.result)
  if (result.ok) return { ...outcome, result: result.value }
  const message = `The result of the agent ${result.wrong}, so it cannot be kept.`
  return { ok: false, error: 'schema', message, retry: 'now', usage: outcome.usage }
}
