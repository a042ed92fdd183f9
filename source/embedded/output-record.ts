import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { counted } from '../counted.js'
import { createLineSplitter, type LineSplitter } from '../processes/jsonl.js'
import { createRedactor, redacted } from '../secrets/redact.js'

/**
 * Bytes of one output that the model gets from its beginning, and as many from its end (docs/agents.md, "Embedded
 * agent").
 */
export const modelPart = 20 * 1024
/** The same for the pane. */
export const panePart = 100 * 1024
/** Bytes of one output that are kept on disk at most. */
const fileCap = 64 * 1024 * 1024
/** Written at once. */
const flushSize = 256 * 1024
/** Longest line that is kept on disk. */
const lineCap = 1024 * 1024

export interface OutputRecord {
  push(bytes: Buffer | string): void
  /** Writes what is held back; nothing is taken afterwards. */
  close(): void
  forModel(): string
  forPane(): string
}

export interface OutputOptions {
  /** Absolute path of the file that keeps all of it, if it is more than the model gets. */
  file: string
  /** How the model is told where that is. */
  shownAs: string
  /** Exact texts that are shown to nobody. */
  keys: readonly string[]
}

/** Takes any amount of output in bounded memory: beginning and end are kept, all of it goes to a file. */
export function createOutputRecord(options: OutputOptions): OutputRecord {
  const head: Buffer[] = []
  let headSize = 0
  let tail: Buffer[] = []
  let tailSize = 0
  let total = 0
  let file: WholeFile | undefined
  let closed = false

  const hide = (text: string) => options.keys.reduce((left, key) => left.replaceAll(key, redacted), text)

  function keepTail(bytes: Buffer): void {
    tail.push(bytes)
    tailSize += bytes.length
    // Put together only now and then, as output comes in small pieces.
    if (tailSize > panePart * 4) {
      tail = [Buffer.from(Buffer.concat(tail).subarray(-panePart))]
      tailSize = tail[0]?.length ?? 0
    }
  }

  function take(bytes: Buffer): void {
    const room = panePart - headSize
    if (room > 0) {
      head.push(bytes.subarray(0, room))
      headSize += Math.min(room, bytes.length)
    }
    if (bytes.length > room) keepTail(bytes.subarray(Math.max(0, room)))
    const before = total
    total += bytes.length
    if (total <= modelPart * 2) return
    if (!file) {
      file = openWholeFile(options)
      file.push(Buffer.concat([...head, ...tail]).subarray(0, before))
    }
    file.push(bytes)
  }

  function part(size: number, where: string): string {
    const kept = Buffer.concat([...head, ...tail])
    const whole = kept.length === total
    if (whole && total <= size * 2) return kept.toString('utf8')
    const first = clean(kept.subarray(0, size))
    const last = clean(kept.subarray(-size))
    return `${first}\n[${counted(total - size * 2, 'byte is', 'bytes are')} left out here${where}]\n${last}`
  }

  return {
    push(bytes) {
      if (!closed) take(typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes))
    },
    close() {
      closed = true
      file?.close()
    },
    forModel: () => hide(part(modelPart, file?.isThere() ? `; all of it is in ${options.shownAs}` : '')),
    forPane: () => hide(part(panePart, '')),
  }
}

/** A cut through a character leaves half of it. */
function clean(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\ufffd{1,3}|\ufffd{1,3}$/g, '')
}

interface WholeFile {
  push(bytes: Buffer): void
  close(): void
  isThere(): boolean
}

/** An output that cannot be kept does not stop the tool: the model still gets its part. */
function openWholeFile(options: OutputOptions): WholeFile {
  // The model needs sources as they are; a file that stays also hides what only looks like a key.
  const redact = createRedactor(options.keys)
  let handle: number | undefined
  let held = ''
  let written = 0
  let full = false

  function flush(): void {
    if (handle === undefined || full || held === '') return
    try {
      full = written + held.length > fileCap
      written += writeSync(handle, full ? '[the rest is not kept]\n' : held)
    } catch {
      full = true
    }
    held = ''
  }

  function write(text: string): void {
    if (full) return
    held += text
    if (held.length >= flushSize) flush()
  }

  try {
    mkdirSync(dirname(options.file), { recursive: true, mode: 0o700 })
    const { O_CREAT, O_TRUNC, O_WRONLY, O_NOFOLLOW } = constants
    handle = openSync(options.file, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW, 0o600)
  } catch {
    full = true
  }
  const lines: LineSplitter = createLineSplitter(
    {
      line: (text, terminated) => write(`${redact(text)}${terminated ? '\n' : ''}`),
      skipped: (bytes) => write(`[a line of ${counted(bytes, 'byte')} is not kept]\n`),
    },
    lineCap,
  )

  return {
    push: (bytes) => lines.push(Buffer.from(bytes)),
    close() {
      lines.end()
      flush()
      if (handle !== undefined) closeSync(handle)
      handle = undefined
    },
    isThere: () => written > 0 || (handle !== undefined && !full),
  }
}
