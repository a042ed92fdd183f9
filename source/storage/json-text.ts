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
  if (typeof value !== 'object' || value === null) throw unsaveable('it is not an object')
  const fault = faultOf(value)
  if (fault !== undefined) throw unsaveable(fault)
  return bytesOfPlain(value)
}

/**
 * The same for what is known to be plain JSON data. Problem if it is too large. It is written piece by piece: one text of more
 * than 128 KB lies in memory of its own, and to get that and to give it back takes longer than everything else here.
 */
export function bytesOfPlain(value: object): Buffer {
  if (Array.isArray(value)) return joined([JSON.stringify(value, null, 2), '\n'])
  const pieces = Object.entries(value).flatMap(([key, item]) => piecesOf(key, item))
  if (pieces.length === 0) return joined(['{}\n'])
  return joined(['{\n', ...pieces.flatMap((piece, at) => (at === 0 ? [piece] : [',\n', piece])), '\n}\n'])
}

const groupLength = 64
const listEnd = '\n  ]'

/** The lines of one property of a state, which are put together with a comma between. */
function piecesOf(key: string, item: unknown): string[] {
  if (item === undefined) return []
  const lines = (of: unknown) => JSON.stringify({ [key]: of }, null, 2).slice('{\n'.length, -'\n}'.length)
  if (!Array.isArray(item) || item.length <= groupLength) return [lines(item)]
  const headLength = lines([0]).length - `    0${listEnd}`.length
  const pieces: string[] = []
  for (let from = 0; from < item.length; from += groupLength) {
    const isLast = from + groupLength >= item.length
    const text = lines(item.slice(from, from + groupLength))
    pieces.push(text.slice(from === 0 ? 0 : headLength, isLast ? undefined : -listEnd.length))
  }
  return pieces
}

function joined(texts: readonly string[]): Buffer {
  const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (size > maxFileBytes) throw unsaveable(`it is larger than ${maxFileBytes / 1024 / 1024} MB`)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const text of texts) at += bytes.write(text, at, 'utf8')
  return bytes
}

/** What `parseState` of the bytes of a state gives, without the bytes. Problem as `serialiseState`. */
export function asParsed(value: unknown): object {
  const copy = plainCopy(value, 1)
  if (copy !== notPlain && typeof copy === 'object' && copy !== null) return copy
  throw unsaveable(faultIn(value, '') ?? 'it is not an object')
}

const notPlain = Symbol('not plain')

/** Goes by the rules of `isPlain`, and takes what holds along. */
function plainCopy(value: unknown, depth: number): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  // JSON knows no negative zero.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : notPlain
  if (typeof value !== 'object' || depth > deepest) return notPlain
  return Array.isArray(value) ? plainList(value, depth) : plainObject(value, depth)
}

function plainList(value: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = new Array(value.length)
  for (let index = 0; index < value.length; index += 1) {
    const item = plainCopy(value[index], depth + 1)
    if (item === notPlain) return notPlain
    copy[index] = item
  }
  return copy
}

function plainObject(value: object, depth: number): unknown {
  if (!isPlainObject(value)) return notPlain
  const copy: Keyed = {}
  for (const key of Object.keys(value)) {
    const inner = (value as Keyed)[key]
    if (inner === undefined) continue
    const item = plainCopy(inner, depth + 1)
    if (item === notPlain) return notPlain
    copy[key] = item
  }
  return copy
}

/** A key named `__proto__` would change the prototype of whatever it is copied into. */
function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && !Object.hasOwn(value, '__proto__')
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
  if (!isPlainObject(value)) return false
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
