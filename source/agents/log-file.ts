import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { counted } from '../counted.js'

// A file that keeps the beginning and the end of what is written to it (docs/durability.md, "Processes"). What does not fit
// goes on in files beside it, of which the last two stay; at the end they are put together, and after a crash by whoever
// reads it.

/** Bytes that are kept. */
export interface LogCaps {
  head: number
  tail: number
}

const MB = 1024 * 1024
export const usualCaps: LogCaps = { head: 8 * MB, tail: 56 * MB }

const copyBytes = MB
const newline = 0x0a

export interface LogFile {
  /** Whole lines. */
  append(bytes: Buffer): void
  /** Bytes so far, those included that were not kept. */
  written(): number
  close(): void
}

/** Where the file cannot be written it closes, and says so once. */
export function openLogFile(path: string, caps: LogCaps, failed: (message: string) => void): LogFile {
  let file: number | undefined
  /** In the file that is written now, and the most that goes there. */
  let size = 0
  let room = caps.head + caps.tail
  let total = 0
  /** Files beside the first one, oldest first. */
  const beside: string[] = []

  function close(): void {
    if (file === undefined) return
    const open = file
    file = undefined
    closeSync(open)
  }

  function giveUp(error: unknown): void {
    try {
      close()
    } catch {
      // It is the first failure that is told.
    }
    failed(`The log ${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }

  function goOn(): void {
    close()
    // What is between the beginning and the last two files will not be kept.
    if (beside.length === 1) cutToHead(path, caps)
    if (beside.length > 1) rmSync(beside.shift() ?? '', { force: true })
    const next = `${path}${besideMark}${total}`
    beside.push(next)
    file = openForWriting(next)
    size = 0
    room = caps.tail
  }

  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    file = openForWriting(path)
  } catch (error) {
    giveUp(error)
  }

  return {
    append(bytes) {
      if (file === undefined) return
      try {
        if (size > 0 && size + bytes.length > room) goOn()
        writeAll(file, bytes)
        size += bytes.length
        total += bytes.length
      } catch (error) {
        giveUp(error)
      }
    },
    written: () => total,
    close() {
      try {
        close()
        if (beside.length > 0) settleLog(path, caps)
      } catch (error) {
        giveUp(error)
      }
    },
  }
}

/** Between the name of a log and the offset from which on the file beside it goes on. */
export const besideMark = '.from-'

/**
 * Puts a log together that goes on in files beside it; does nothing where there are none. Nobody may write it
 * meanwhile. Throws what the file system throws.
 */
export function settleLog(path: string, caps: LogCaps = usualCaps): void {
  const folder = dirname(path)
  const start = basename(path) + besideMark
  const beside = readdirSync(folder)
    .filter((name) => name.startsWith(start) && /^\d+$/.test(name.slice(start.length)))
    .map((name) => ({ path: join(folder, name), from: Number(name.slice(start.length)) }))
    .sort((a, b) => a.from - b.from)
  if (beside.length === 0) return
  const draft = `${path}.whole`
  const out = openForWriting(draft)
  const sources = [{ path, from: 0 }, ...beside].map(({ path: one, from }) => {
    const file = openSync(one, constants.O_RDONLY | constants.O_NOFOLLOW)
    return { file, from, end: from + fstatSync(file).size }
  })
  try {
    const [main, ...rest] = sources
    const end = rest.at(-1)?.end ?? 0
    if (!main) return
    const head = headEnd(main.file, main.end, caps)
    copy(main.file, { from: 0, to: head }, out)
    let kept: number | undefined
    for (const { file, from, end: to } of sources) {
      const wanted = Math.max(from, head, end - caps.tail)
      if (wanted >= to) continue
      const begin = kept === undefined && wanted > head ? from + lineStart(file, wanted - from) : wanted
      if (kept === undefined) writeAll(out, Buffer.from(gapLine(begin - head)))
      kept ??= begin
      copy(file, { from: begin - from, to: to - from }, out)
    }
  } finally {
    for (const { file } of sources) closeSync(file)
    closeSync(out)
  }
  renameSync(draft, path)
  for (const one of beside) rmSync(one.path, { force: true })
}

/** What stands in a log where bytes are left out. */
export function gapLine(bytes: number): string {
  return bytes === 0
    ? ''
    : `# ${counted(bytes, 'byte is', 'bytes are')} left out here: the log keeps its beginning and its end\n`
}

function openForWriting(path: string): number {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
  return openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
}

function cutToHead(path: string, caps: LogCaps): void {
  const file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    ftruncateSync(file, headEnd(file, fstatSync(file).size, caps))
  } finally {
    closeSync(file)
  }
}

/** Where the beginning that is kept ends: behind its last whole line. */
function headEnd(file: number, size: number, { head }: LogCaps): number {
  if (size <= head) return size
  const buffer = Buffer.allocUnsafe(Math.min(head, 2 * copyBytes))
  const from = head - buffer.length
  const read = readSync(file, buffer, 0, buffer.length, from)
  const last = buffer.subarray(0, read).lastIndexOf(newline)
  return last < 0 ? head : from + last + 1
}

/** The first line that begins at that place or behind it; the place itself where none is near. */
function lineStart(file: number, place: number): number {
  const buffer = Buffer.allocUnsafe(2 * copyBytes)
  const read = readSync(file, buffer, 0, buffer.length, place - 1)
  const next = buffer.subarray(0, read).indexOf(newline)
  return next < 0 ? place : place + next
}

function copy(file: number, { from, to }: { from: number; to: number }, out: number): void {
  const buffer = Buffer.allocUnsafe(copyBytes)
  for (let at = from; at < to; ) {
    const read = readSync(file, buffer, 0, Math.min(buffer.length, to - at), at)
    if (read === 0) return
    writeAll(out, buffer.subarray(0, read))
    at += read
  }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}
