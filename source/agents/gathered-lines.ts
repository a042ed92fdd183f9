import { type PaneBlock, type PaneLine, unfolded } from '../view/panes.js'

/** From so many lines on they are handed over as a block. */
const blockLines = 16
/** Lines that wait at most. */
const mostLines = 2000

export interface GatheredLines {
  write(lines: PaneLine | PaneBlock): void
  /** Hands over what waits, at once. */
  flush(): void
}

/**
 * Hands lines that are told without a pause, such as those of one read, over together: redaction, store and screen then
 * look at many of them only if somebody looks at them. A few go one by one; the order stays.
 */
export function gatherLines(write: (lines: PaneLine | PaneBlock) => void): GatheredLines {
  let waiting: PaneLine[] = []

  function flush(): void {
    const lines = waiting
    if (lines.length === 0) return
    waiting = []
    if (lines.length < blockLines) for (const line of lines) write(line)
    else write(blockOf(lines))
  }

  return {
    write(told) {
      if ('count' in told) {
        flush()
        write(told)
        return
      }
      if (waiting.length === 0) queueMicrotask(flush)
      waiting.push(told)
      if (waiting.length >= mostLines) flush()
    },
    flush,
  }
}

function blockOf(lines: readonly PaneLine[]): PaneBlock {
  return {
    count: lines.length,
    slice: (from, to) => lines.slice(from, to),
    includes: (part) => lines.some((line) => unfolded(line).some(({ text }) => text.includes(part))),
  }
}
