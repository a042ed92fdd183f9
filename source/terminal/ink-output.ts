import { EventEmitter } from 'node:events'

/**
 * The stdout that Ink sees: docs/terminal.md "Screen". In its mode for debugging Ink hands over each whole frame, without
 * any sequence of its own; the newest one is painted once everything else of this turn is done.
 */
export interface InkOutput extends EventEmitter {
  readonly isTTY: false
  readonly rows: number
  columns: number
  write(frame: string | Uint8Array, ...rest: unknown[]): boolean
  /** Calls back once, when the next frame is on the screen. */
  afterWrite(listener: () => void): () => void
  /** Paints the newest frame now, also an unchanged one. */
  paint(): void
}

function callbackOf(rest: unknown[]): (() => void) | undefined {
  const last = rest.at(-1)
  return typeof last === 'function' ? (last as () => void) : undefined
}

/** @param paint puts a frame on the screen; false where there is none to put it on */
export function createInkOutput(columns: number, paint: (frame: string) => boolean): InkOutput {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  let waiting: (() => void)[] = []
  let newest: string | undefined
  let pending: NodeJS.Immediate | undefined

  function paintNewest(): void {
    clearImmediate(pending)
    pending = undefined
    if (newest === undefined || !paint(newest)) return
    const listeners = waiting
    waiting = []
    for (const listener of listeners) listener()
  }

  return Object.assign(emitter, {
    isTTY: false as const,
    rows: Number.POSITIVE_INFINITY,
    columns,
    write(frame: string | Uint8Array, ...rest: unknown[]) {
      // Ink says nothing by an empty text or a lone line end.
      if (typeof frame === 'string' && frame.trim() !== '') {
        newest = frame
        pending ??= setImmediate(paintNewest)
      }
      callbackOf(rest)?.()
      return true
    },
    afterWrite(listener: () => void) {
      waiting.push(listener)
      return () => {
        waiting = waiting.filter((other) => other !== listener)
      }
    },
    paint: paintNewest,
  })
}
