import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { Problem } from '../problem.js'
import { maxFileBytes } from './durable-file.js'

// State as text: what is refused on the way in and on the way out (docs/durability.md, "Saving a file" and "Bad
// input").

const deepest = 200

export type JsonReading = { kind: 'ok'; value: object } | { kind: 'unreadable'; reason: string }

export const notAnObject = { kind: 'unreadable', reason: 'it is not a JSON object' } as const

/** sha256 of bytes, as hex. */
export function hashOf(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex')
}

/** Reads the bytes of a state file. Nothing is mended or defaulted: what is not one clean JSON object is unreadable. */
export function parseState(bytes: Buffer): JsonReading {
  if (bytes.length === 0) return unreadable('it is empty')
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return unreadable('it starts with a byte order mark')
  if (bytes.includes(0)) return unreadable('it holds NUL bytes')
  if (!isUtf8(bytes)) return unreadable('it is not valid UTF-8')
  if (depthOf(bytes) > deepest) return unreadable(`it is nested deeper than ${deepest} levels`)
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    return unreadable(`it is not valid JSON (${error instanceof Error ? error.message : String(error)})`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return notAnObject
  const fault = faultOf(value)
  return fault === undefined ? { kind: 'ok', value } : unreadable(fault)
}

/**
 * The bytes of a state: two spaces, a final newline, keys in their order, so that the same data gives the same bytes.
 * Throws a Problem for data that would not come back as it is (NaN, a Map, a cycle, `__proto__`), because saving it
 * would lose something silently. Properties that are undefined count as absent.
 */
export function serialiseState(value: unknown): Buffer {
  return Buffer.from(stateText(value), 'utf8')
}

/** The same as text. */
export function stateText(value: unknown): string {
  const fault = typeof value === 'object' && value !== null ? faultOf(value) : 'it is not an object'
  if (fault !== undefined) throw unsaveable(fault)
  const text = `${JSON.stringify(value, null, 2)}\n`
  if (Buffer.byteLength(text) > maxFileBytes)
    throw unsaveable(`it is larger than ${maxFileBytes / 1024 / 1024} MB`)
  return text
}

/** True if two values give the same bytes: also the order of their keys is the same. The first is plain JSON. */
export function sameInOrder(json: unknown, other: unknown): boolean {
  if (json === other) return true
  if (typeof json !== 'object' || json === null || typeof other !== 'object' || other === null) return false
  if (Object.getPrototypeOf(json) !== Object.getPrototypeOf(other)) return false
  const keys = Object.keys(json)
  const others = Object.keys(other)
  if (keys.length !== others.length) return false
  return keys.every(
    (key, at) => key === others[at] && sameInOrder((json as Keyed)[key], (other as Keyed)[key]),
  )
}

type Keyed = Record<string, unknown>

/** What a value holds that JSON could not give back. Most hold nothing, so its place is told only once that is known. */
function faultOf(value: unknown): string | undefined {
  return isPlain(value, 1) ? undefined : faultIn(value, '')
}

function isPlain(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > deepest) return false
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (!isPlain(value[index], depth + 1)) return false
    return true
  }
  const prototype = Object.getPrototypeOf(value)
  if ((prototype !== Object.prototype && prototype !== null) || Object.hasOwn(value, '__proto__'))
    return false
  for (const key of Object.keys(value)) {
    const item = (value as Keyed)[key]
    if (item !== undefined && !isPlain(item, depth + 1)) return false
  }
  return true
}

/** Brackets open at once, outside of strings; counted on bytes so that no parser has to recurse first. */
function depthOf(bytes: Buffer): number {
  let depth = 0
  let most = 0
  let inString = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (inString) {
      if (byte === 0x5c) index++
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) inString = true
    else if (byte === 0x7b || byte === 0x5b) most = Math.max(most, ++depth)
    else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return most
}

/** What JSON could not give back, with its place; undefined if all is well. */
function faultIn(value: unknown, place: string, depth = 1): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : `${place || 'it'} is not a finite number`
  }
  if (typeof value !== 'object') return `${place || 'it'} is a ${typeof value}, which JSON cannot hold`
  if (depth > deepest) return `it is nested deeper than ${deepest} levels`
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const fault = faultIn(item, `${place}[${index}]`, depth + 1)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return `${place || 'it'} is no plain object`
  // A key of this name would change the prototype of whatever it is copied into.
  if (Object.hasOwn(value, '__proto__')) return `${place || 'it'} has a key named __proto__`
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    const fault = faultIn(item, place === '' ? key : `${place}.${key}`, depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}

function unreadable(reason: string): JsonReading {
  return { kind: 'unreadable', reason }
}

function unsaveable(fault: string): Problem {
  return new Problem({
    code: 'storage',
    what: `The new state was not saved: ${fault}.`,
    why: 'It could not be read back as it is, so the state on disk was left as it was.',
    todo: 'Start autopilot again to resume from the last saved state, and report this with the session journal.',
  })
}
