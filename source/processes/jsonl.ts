const newline = 0x0a
const carriageReturn = 0x0d

/** Bytes of one line that are kept at most (docs/durability.md, "Processes"). */
export const lineCap = 16 * 1024 * 1024

export interface LineSplitter {
  push(chunk: Buffer): void
  /** Hands over a last line that has no line feed. */
  end(): void
}

/** What a splitter reports: whole lines as text, and the size of lines that were too long to keep. */
export interface LineSink {
  line(text: string, terminated: boolean): void
  skipped(bytes: number): void
  /**
   * Several whole lines at once, line feeds included, in place of `line`: for whoever can do with them what one by one
   * would cost too much. The bytes may be kept.
   */
  lines?(bytes: Buffer): void
}

/**
 * Splits bytes into lines at 0x0A only and decodes whole lines, so that no character is torn between chunks.
 * A line above `cap` bytes is not kept: its size is reported once it ends.
 */
export function createLineSplitter(sink: LineSink, cap: number = lineCap): LineSplitter {
  let parts: Buffer[] = []
  let size = 0
  let skipping = false

  function keep(piece: Buffer): void {
    size += piece.length
    if (size > cap) {
      skipping = true
      parts = []
    }
    if (!skipping && piece.length > 0) parts.push(piece)
  }

  function finish(terminated: boolean): void {
    if (skipping) sink.skipped(size)
    else sink.line(decode(parts), terminated)
    parts = []
    size = 0
    skipping = false
  }

  /** Behind the first line, which may have begun earlier. */
  function pushLines(chunk: Buffer, lines: (bytes: Buffer) => void): void {
    const first = size > 0 ? chunk.indexOf(newline) : -1
    if (first >= 0) {
      keep(chunk.subarray(0, first))
      finish(true)
    }
    const end = chunk.lastIndexOf(newline) + 1
    if (end > first + 1) lines(chunk.subarray(first + 1, end))
    keep(chunk.subarray(end))
  }

  return {
    push(chunk) {
      if (sink.lines && chunk.length <= cap) return pushLines(chunk, sink.lines)
      let start = 0
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
        keep(chunk.subarray(start, at))
        finish(true)
        start = at + 1
      }
      keep(chunk.subarray(start))
    },
    end() {
      if (size > 0) finish(false)
    },
  }
}

function decode(parts: Buffer[]): string {
  const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
  const end = bytes[bytes.length - 1] === carriageReturn ? bytes.length - 1 : bytes.length
  return bytes.toString('utf8', 0, end)
}
