import { textOfLines } from '../text-record.js'

/**
 * Neighbouring lines of output that are no events, as text without the last line feed and as the bytes that were read; or
 * neighbouring lines each of which may be one: parts of a much larger text, which they would keep in memory.
 */
export type Run = { isPlain: true; text: string; bytes: Buffer } | { isPlain: false; lines: string[] }

const newline = 0x0a
const openingBrace = 0x7b
/** The first byte of a byte order mark, which an object may follow. */
const orderMark = 0xef

/**
 * Parts whole lines into those that may be JSON objects, and all that is between them, at once: most programs print text
 * only, and are fast at it.
 *
 * @param bytes ends with a line feed
 */
export function* runsOf(bytes: Buffer): Generator<Run> {
  const nextObject = objectsIn(bytes)
  for (let from = 0; from < bytes.length; ) {
    const object = nextObject(from)
    if (object > from) {
      const text = textOfLines(bytes.subarray(from, object - 1))
      yield { isPlain: true, text, bytes: bytes.subarray(from, object) }
    }
    from = object
    while (mayBeObject(bytes, from)) from = bytes.indexOf(newline, from) + 1
    if (from > object)
      yield { isPlain: false, lines: textOfLines(bytes.subarray(object, from - 1)).split('\n') }
  }
}

/** A search for the first line at or behind `from` that may be an object: its place, or the end of all. `from` never goes back. */
function objectsIn(bytes: Buffer): (from: number) => number {
  const brace = searchOf(bytes, openingBrace)
  const mark = searchOf(bytes, orderMark)
  return (from) => {
    for (let at = from; at < bytes.length; ) {
      const opener = Math.min(brace(at), mark(at))
      if (opener === bytes.length) break
      const start = lineOf(bytes, opener, at)
      if (start !== undefined) return start
      at = bytes.indexOf(newline, opener) + 1
    }
    return bytes.length
  }
}

/** The next place of one byte, or the end of all; places that were found are remembered. */
function searchOf(bytes: Buffer, byte: number): (from: number) => number {
  let known = -1
  return (from) => {
    if (known < from) {
      const at = bytes.indexOf(byte, from)
      known = at < 0 ? bytes.length : at
    }
    return known
  }
}

/** The start of the line of which only blanks are before that place; undefined where there is more. `from` is a start. */
function lineOf(bytes: Buffer, place: number, from: number): number | undefined {
  let at = place
  while (at > from && isBlank(bytes[at - 1])) at -= 1
  return at === from || bytes[at - 1] === newline ? at : undefined
}

/** The first byte that is no blank opens an object. */
function mayBeObject(bytes: Buffer, start: number): boolean {
  let at = start
  while (isBlank(bytes[at])) at += 1
  return bytes[at] === openingBrace || bytes[at] === orderMark
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09
}
