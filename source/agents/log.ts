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

interface Half {
  parts: Buffer[]
  size: number
  redact: Redactor
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
  let file: number | undefined
  let written = 0
  let lost = 0
  const halves = new Map<LogStream, Half>()
  const hidden = secrets.map((secret) => Buffer.from(secret).toString('latin1'))

  function give(up: unknown): void {
    close()
    failed(`The log ${path} cannot be written: ${up instanceof Error ? up.message : String(up)}`)
  }

  function append(bytes: Buffer): void {
    if (file === undefined) return
    if (written + bytes.length > cap) {
      lost += bytes.length
      return
    }
    try {
      writeSync(file, bytes)
      written += bytes.length
    } catch (error) {
      give(error)
    }
  }

  function half(stream: LogStream): Half {
    const known = halves.get(stream)
    if (known) return known
    const fresh = { parts: [], size: 0, redact: createRedactor(hidden) }
    halves.set(stream, fresh)
    return fresh
  }

  /** The line held so far, ready to be written. */
  function take(stream: LogStream, held: Half): string {
    // latin1 keeps every byte as it is, whatever the encoding of the output.
    const line = held.redact(Buffer.concat(held.parts).toString('latin1'))
    held.parts = []
    held.size = 0
    return `${logMarks[stream]}${line}\n`
  }

  function close(): void {
    if (file === undefined) return
    for (const [stream, held] of halves) if (held.size > 0) append(Buffer.from(take(stream, held), 'latin1'))
    const open = file
    file = undefined
    try {
      if (lost > 0) writeSync(open, `${logMarks.note}log full at ${cap} bytes, ${lost} more bytes not kept\n`)
      closeSync(open)
    } catch {
      // The note is lost with the disk it could not be written to.
    }
  }

  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
    file = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  } catch (error) {
    give(error)
  }

  return {
    path,
    raw(stream, bytes) {
      if (lost > 0) {
        lost += bytes.length
        return
      }
      const held = half(stream)
      let lines = ''
      let start = 0
      for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, start)) {
        held.parts.push(bytes.subarray(start, at))
        lines += take(stream, held)
        start = at + 1
      }
      if (start < bytes.length) {
        held.parts.push(Buffer.from(bytes.subarray(start)))
        held.size += bytes.length - start
        if (held.size >= pieceBytes) lines += take(stream, held)
      }
      if (lines !== '') append(Buffer.from(lines, 'latin1'))
    },
    note(text) {
      append(Buffer.from(`${logMarks.note}${createRedactor(secrets)(text)}\n`, 'utf8'))
    },
    close,
  }
}
