import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { createRedactor, type Redactor } from '../secrets/redact.js'

/** Bytes of one dispatch that are kept at most (docs/durability.md, "Processes"). */
export const logCap = 64 * 1024 * 1024

/** A line longer than this is written in pieces, so that it needs no more memory than that. */
const pieceBytes = 1024 * 1024

export type LogStream = 'stdout' | 'stderr' | 'stdin'

/** First characters of a line in the log: where it came from. */
export const logMarks: Record<LogStream | 'note', string> = {
  stdout: '  ',
  stderr: '! ',
  stdin: '> ',
  note: '# ',
}

export interface DispatchLog {
  readonly path: string
  raw(stream: LogStream, bytes: Buffer): void
  note(text: string): void
  /** Writes what is held back and closes the file. */
  close(): void
}

/**
 * The raw record of one dispatch: every line in and out, marked with its stream, secrets hidden, file mode 0600.
 * A log that cannot be written does not stop the agent: the failure is told once through `failed`.
 */
export function openDispatchLog(
  path: string,
  secrets: readonly string[],
  failed: (message: string) => void,
  cap: number = logCap,
): DispatchLog {
  const file = openLogFile(path, cap, failed)
  const halves = new Map<LogStream, HalfLine>()
  const hidden = secrets.map((secret) => Buffer.from(secret).toString('latin1'))

  function halfOf(stream: LogStream): HalfLine {
    const known = halves.get(stream)
    if (known) return known
    const fresh = halfLine(logMarks[stream], createRedactor(hidden))
    halves.set(stream, fresh)
    return fresh
  }

  return {
    path,
    raw(stream, bytes) {
      if (file.isFull()) file.append(bytes)
      else {
        const lines = halfOf(stream).take(bytes)
        if (lines !== '') file.append(Buffer.from(lines, 'latin1'))
      }
    },
    note(text) {
      file.append(Buffer.from(`${logMarks.note}${createRedactor(secrets)(text)}\n`, 'utf8'))
    },
    close() {
      for (const half of halves.values()) {
        const rest = half.rest()
        if (rest !== '') file.append(Buffer.from(rest, 'latin1'))
      }
      halves.clear()
      file.close()
    },
  }
}

interface HalfLine {
  /** Whole lines, and pieces of a very long one, ready to be written as latin1. */
  take(bytes: Buffer): string
  /** The line that has no end yet. */
  rest(): string
}

function halfLine(mark: string, redact: Redactor): HalfLine {
  let parts: Buffer[] = []
  let size = 0

  function flush(): string {
    // latin1 keeps every byte as it is, whatever the encoding of the output.
    const line = redact(Buffer.concat(parts).toString('latin1'))
    parts = []
    size = 0
    return `${mark}${line}\n`
  }

  return {
    take(bytes) {
      let lines = ''
      let start = 0
      for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, start)) {
        parts.push(bytes.subarray(start, at))
        lines += flush()
        start = at + 1
      }
      if (start < bytes.length) {
        parts.push(Buffer.from(bytes.subarray(start)))
        size += bytes.length - start
        if (size >= pieceBytes) lines += flush()
      }
      return lines
    },
    rest: () => (size > 0 ? flush() : ''),
  }
}

interface LogFile {
  append(bytes: Buffer): void
  /** Something was lost: from now on bytes are only counted. */
  isFull(): boolean
  close(): void
}

/** A file that takes at most `cap` bytes; where it cannot be written it closes and says so once. */
function openLogFile(path: string, cap: number, failed: (message: string) => void): LogFile {
  let file: number | undefined
  let written = 0
  let lost = 0

  function close(): void {
    if (file === undefined) return
    const open = file
    file = undefined
    try {
      if (lost > 0) writeSync(open, `${logMarks.note}log full at ${cap} bytes, ${lost} more bytes not kept\n`)
      closeSync(open)
    } catch {
      // The note is lost with the disk it could not be written to.
    }
  }

  function giveUp(error: unknown): void {
    close()
    failed(`The log ${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }

  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
    file = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  } catch (error) {
    giveUp(error)
  }

  return {
    append(bytes) {
      if (file === undefined) return
      if (lost > 0 || written + bytes.length > cap) {
        lost += bytes.length
        return
      }
      try {
        writeSync(file, bytes)
        written += bytes.length
      } catch (error) {
        giveUp(error)
      }
    },
    isFull: () => lost > 0,
    close,
  }
}
