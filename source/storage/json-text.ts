import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { deepest, faultOf, unsaveable } from './plain-json.js'
import { bytesOfPlain } from './state-bytes.js'

// State as text: what is refused on the way in and on the way out (docs/durability.md, "Saving a file" and "Bad
// input").

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

function unreadable(reason: string): JsonReading {
  return { kind: 'unreadable', reason }
}
