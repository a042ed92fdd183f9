import { createRedactor } from '../secrets/redact.js'
import { createBlockRedactor } from '../secrets/redact-block.js'
import { type LogCaps, openLogFile, usualCaps } from './log-file.js'

/** A line longer than this is written in pieces, so that it needs no more memory than that. */
const pieceBytes = 1024 * 1024

const newline = 0x0a

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
  /** Bytes written so far, those included that were not kept. */
  written(): number
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
  caps: LogCaps = usualCaps,
): DispatchLog {
  const file = openLogFile(path, caps, failed)
  const streams = new Map<LogStream, LineMarker>()

  function streamOf(name: LogStream): LineMarker {
    const known = streams.get(name)
    if (known) return known
    const fresh = createLineMarker(logMarks[name], createBlockRedactor(secrets))
    streams.set(name, fresh)
    return fresh
  }

  return {
    path,
    raw(stream, bytes) {
      const lines = streamOf(stream).take(bytes)
      if (lines) file.append(lines)
    },
    note(text) {
      file.append(Buffer.from(`${logMarks.note}${createRedactor(secrets)(text)}\n`, 'utf8'))
    },
    written: () => file.written(),
    close() {
      for (const stream of streams.values()) {
        const rest = stream.rest()
        if (rest) file.append(rest)
      }
      streams.clear()
      file.close()
    },
  }
}

interface LineMarker {
  /** Whole lines, or a piece of a very long one, ready to be written. Valid until the next call. */
  take(bytes: Buffer): Buffer | undefined
  /** The line that has no end yet. */
  rest(): Buffer | undefined
}

/** Works on all lines of a read at once: one by one they would cost more than everything else that is done with them. */
function createLineMarker(mark: string, redact: (block: Buffer) => Buffer): LineMarker {
  const nextLine = `\n${mark}`
  let parts: Buffer[] = []
  let size = 0
  let scratch = Buffer.alloc(0)

  /** @param lines ends with a line feed */
  function marked(lines: Buffer): Buffer {
    // As latin1 every byte stays what it is, and a pattern of one character in a text is found and replaced natively.
    const text = lines.toString('latin1', 0, lines.length - 1).replace(/\n/g, nextLine)
    const length = mark.length + text.length + 1
    if (scratch.length < length) scratch = Buffer.allocUnsafe(2 * length)
    scratch.write(mark, 0, 'latin1')
    scratch.write(text, mark.length, 'latin1')
    scratch[length - 1] = newline
    return scratch.subarray(0, length)
  }

  function flush(last: Buffer): Buffer {
    const block = parts.length === 0 ? last : Buffer.concat([...parts, last])
    parts = []
    size = 0
    return marked(redact(block))
  }

  return {
    take(bytes) {
      const end = bytes.lastIndexOf(newline) + 1
      const whole = end > 0 ? flush(bytes.subarray(0, end)) : undefined
      if (end < bytes.length) {
        parts.push(Buffer.from(bytes.subarray(end)))
        size += bytes.length - end
      }
      return whole ?? (size >= pieceBytes ? flush(Buffer.from('\n')) : undefined)
    },
    rest: () => (size > 0 ? flush(Buffer.from('\n')) : undefined),
  }
}
