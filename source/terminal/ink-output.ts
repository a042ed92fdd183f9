import { EventEmitter } from 'node:events'

/** The stdout that Ink sees: docs/terminal.md "Screen". */
export interface InkOutput extends EventEmitter {
  readonly isTTY: true
  /** Never reached by a frame, so Ink never clears the scrollback. */
  readonly rows: number
  columns: number
  write(data: string | Uint8Array, ...rest: unknown[]): boolean
  /** Calls back once, after the next bytes are written. */
  afterWrite(listener: () => void): () => void
}

type Write = (data: string | Uint8Array) => boolean

function callbackOf(rest: unknown[]): (() => void) | undefined {
  const last = rest.at(-1)
  return typeof last === 'function' ? (last as () => void) : undefined
}

export function createInkOutput(columns: number, write: Write): InkOutput {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  let waiting: (() => void)[] = []
  return Object.assign(emitter, {
    isTTY: true as const,
    rows: Number.POSITIVE_INFINITY,
    columns,
    write(data: string | Uint8Array, ...rest: unknown[]) {
      const more = write(data)
      const listeners = waiting
      if (data.length > 0) waiting = []
      if (data.length > 0) for (const listener of listeners) listener()
      callbackOf(rest)?.()
      return more
    },
    afterWrite(listener: () => void) {
      waiting.push(listener)
      return () => {
        waiting = waiting.filter((other) => other !== listener)
      }
    },
  })
}
