import type { LogPlace, LogQuery } from '../view/view.js'
import { firstLineOf, partBytes } from './log-parts.js'
import { type LogSource, openLog } from './log-source.js'

// Search in a whole log, forward and back, piece by piece: time grows with the bytes that are passed, memory does not,
// and between two pieces everything else goes on (docs/terminal.md "Panes").

/** Bytes that are looked at in one go, and the longest line that is looked at as one. */
const pieceBytes = 256 * 1024
const longestLine = 2 * 1024 * 1024

/** A pane can be a little ahead of its log; so many bytes are looked at twice rather than not at all. */
const slackBytes = 64 * 1024

const feed = 0x0a

/** How a line is shown: what nobody can see is no hit. */
export type Shown = (line: string) => string

/** Whole lines of a log, and where they begin. */
interface Piece {
  from: number
  bytes: Buffer
}

/**
 * The next line that holds a text, in any case. Undefined where there is none, and when the signal ended it. Throws what
 * `openLog` throws, such as of a log that is gone.
 *
 * @param root absolute path of the project
 */
export async function searchLog(
  root: string,
  path: string,
  query: LogQuery,
  how: { shown: Shown; signal: AbortSignal },
): Promise<LogPlace | undefined> {
  const log = await openLog(root, path)
  if (!log) return undefined
  try {
    return await searchIn(log, query, how)
  } finally {
    await log.close()
  }
}

/** The same in a log that is open. */
export async function searchIn(
  log: LogSource,
  query: LogQuery,
  { shown, signal }: { shown: Shown; signal: AbortSignal },
): Promise<LogPlace | undefined> {
  const { by } = query
  const small = query.wanted.toLowerCase()
  if (small === '') return undefined
  const begin = Math.min(log.size, await beginOf(log, query))
  for await (const piece of by === -1 ? piecesBefore(log, begin) : piecesFrom(log, begin)) {
    if (signal.aborted) return undefined
    const line = hitIn(piece, small, by, shown)
    if (line !== undefined) return placeOf(log, piece.from + startOfLine(piece.bytes, line))
  }
  return undefined
}

/** The byte before which, or from which on, is searched: that of a line, and not the line itself. */
async function beginOf(log: LogSource, { from, by }: LogQuery): Promise<number> {
  if (from === undefined) return by === -1 ? log.size : 0
  if ('offset' in from) return from.offset + slackBytes
  const first = await firstLineOf(log, from.part)
  const line = by === -1 ? from.line : from.line + 1
  if (line <= 0) return first
  const bytes = await log.read(first, partBytes + longestLine)
  const start = startOfLine(bytes, line)
  return first + start
}

async function* piecesBefore(log: LogSource, end: number): AsyncGenerator<Piece> {
  let to = end
  let length = pieceBytes
  while (to > 0) {
    const from = Math.max(0, to - length)
    const bytes = await log.read(from, to - from)
    const cut = from === 0 ? 0 : bytes.indexOf(feed) + 1
    // A line that is longer than the piece is looked at with more, up to a bound.
    if (from > 0 && (cut === 0 || cut === bytes.length) && length < longestLine) {
      length *= 2
      continue
    }
    const start = cut === bytes.length ? 0 : cut
    yield { from: from + start, bytes: bytes.subarray(start) }
    to = from + start
    length = pieceBytes
  }
}

async function* piecesFrom(log: LogSource, begin: number): AsyncGenerator<Piece> {
  let from = begin
  let length = pieceBytes
  while (from < log.size) {
    const bytes = await log.read(from, length)
    if (bytes.length === 0) return
    const isLast = from + bytes.length >= log.size
    const cut = isLast ? bytes.length : bytes.lastIndexOf(feed) + 1
    if (cut === 0 && length < longestLine) {
      length *= 2
      continue
    }
    const end = cut === 0 ? bytes.length : cut
    yield { from, bytes: bytes.subarray(0, end) }
    from += end
    length = pieceBytes
  }
}

/** Number of the line in a piece: its last one with the text, or its first. */
function hitIn({ bytes }: Piece, small: string, by: 1 | -1, shown: Shown): number | undefined {
  const text = bytes.toString('utf8')
  // Most pieces hold nothing: they are passed without taking their lines apart.
  if (!text.toLowerCase().includes(small)) return undefined
  const lines = text.split('\n')
  const holds = (line: string) =>
    line.toLowerCase().includes(small) && shown(line).toLowerCase().includes(small)
  const found = by === -1 ? lines.findLastIndex(holds) : lines.findIndex(holds)
  return found < 0 ? undefined : found
}

/** Where a line begins, counted in bytes; the end where there are fewer lines. */
function startOfLine(bytes: Buffer, line: number): number {
  let at = 0
  for (let count = 0; count < line; count += 1) {
    const next = bytes.indexOf(feed, at)
    if (next < 0) return bytes.length
    at = next + 1
  }
  return at
}

/** The part in which a line begins, and its number there. */
async function placeOf(log: LogSource, start: number): Promise<LogPlace> {
  const part = Math.floor(start / partBytes)
  const first = await firstLineOf(log, part)
  if (start <= first) return { part, line: 0 }
  const bytes = await log.read(first, start - first)
  let line = 0
  for (let at = bytes.indexOf(feed); at >= 0; at = bytes.indexOf(feed, at + 1)) line += 1
  return { part, line }
}
