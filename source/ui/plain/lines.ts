import { closeSync, openSync, writeSync } from 'node:fs'
import type { LineReader, ReadOptions } from '../../terminal/line-reader.js'
import { plainSigns } from '../../terminal/plain-signs.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { printedRows } from '../../terminal/width.js'

/** Where plain mode writes, and where it reads from if somebody can type. */
export interface Lines {
  /** What happens: to stdout. */
  tell(lines: readonly string[]): void
  /** What a person has to see: to the terminal, and to stdout where that is something else. */
  show(lines: readonly string[]): void
  /** What was typed; undefined when the read was given up. Without it nobody can answer. */
  read?(prompt: string, options?: ReadOptions): Promise<string | undefined>
  /** Gives up the open read. */
  cancel(): void
  /** Typed and pasted text cannot be told apart: what lets something pass wants its word. */
  wantsWords: boolean
}

/** The terminal that a person looks at. */
export interface PlainTerminal {
  write(text: string): void
  /** Everything that is told goes there too. */
  isStdout: boolean
  columns(): number
  close(): void
}

const fallbackColumns = 80

/** stdout, else stderr, else the terminal that belongs to the process; undefined where there is none. */
export function plainTerminal(): PlainTerminal | undefined {
  const { stdout, stderr } = process
  for (const stream of [stdout, stderr]) {
    if (stream.isTTY)
      return {
        write: (text) => void stream.write(text),
        isStdout: stream === stdout,
        columns: () => stream.columns || fallbackColumns,
        close() {},
      }
  }
  try {
    const file = openSync('/dev/tty', 'w')
    return {
      write: (text) => void writeSync(file, text),
      isStdout: false,
      columns: () => fallbackColumns,
      close: () => closeSync(file),
    }
  } catch {
    return undefined
  }
}

export interface LinesParts {
  /** To stdout, as it is. */
  out(text: string): void
  terminal?: PlainTerminal | undefined
  reader?: LineReader | undefined
  wantsWords: boolean
  /** False where the terminal has ASCII alone. */
  unicode?: boolean
}

export function createLines({ out, terminal, reader, wantsWords, unicode = true }: LinesParts): Lines {
  const safe = (lines: readonly string[]) => lines.flatMap((text) => text.split('\n')).map(sanitizeLine)

  const signs = (text: string) => (unicode ? text : plainSigns(text))

  function print(lines: readonly string[]): void {
    const rows = lines.map(signs).flatMap((text) => printedRows(text, terminal?.columns() ?? fallbackColumns))
    if (reader) reader.print(rows)
    else terminal?.write(`${rows.join('\n')}\n`)
  }

  function tell(lines: readonly string[]): void {
    if (lines.length === 0) return
    if (terminal?.isStdout) print(safe(lines))
    else out(`${safe(lines).join('\n')}\n`)
  }

  return {
    tell,
    show(lines) {
      if (terminal && !terminal.isStdout) print(safe(lines))
      tell(lines)
    },
    ...(reader
      ? { read: (prompt: string, options?: ReadOptions) => reader.read(signs(prompt), options) }
      : {}),
    cancel: () => reader?.cancel(),
    wantsWords,
  }
}
