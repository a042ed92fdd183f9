/** One line of an agent's output, already split, sanitised and classified. */
export interface PaneLine {
  kind: 'text' | 'thinking' | 'tool' | 'note' | 'error' | 'log'
  text: string
}

/** Lines kept per pane; the full output is in the log file (docs/terminal.md "Panes"). */
export const paneCapacity = 5000

/** Fixed-size buffer of lines. `total` counts every line ever pushed, so scroll positions stay stable. */
export interface LineRing {
  readonly total: number
  readonly length: number
  push(line: PaneLine): void
  /** Lines `from` (inclusive) to `to` (exclusive), counted from the oldest kept line. */
  slice(from: number, to: number): PaneLine[]
}

/** The visible record of one agent dispatch. */
export interface Pane {
  /** That of the dispatch. */
  id: string
  persona: string
  title: string
  /** Id of the phase that it works for. */
  phase?: string
  /** `suspended`: its processes are stopped until somebody lets them go on. */
  status: 'running' | 'suspended' | 'ok' | 'failed' | 'stopped'
  attempt: number
  /** Epoch milliseconds. */
  startedAt: number
  endedAt?: number
  logPath?: string
  lines: LineRing
}

export function createLineRing(capacity: number = paneCapacity): LineRing {
  const lines: PaneLine[] = new Array(Math.min(capacity, 64))
  let total = 0
  const kept = () => Math.min(total, capacity)
  return {
    get total() {
      return total
    },
    get length() {
      return kept()
    },
    push(line) {
      lines[total % capacity] = line
      total += 1
    },
    slice(from, to) {
      const first = total - kept()
      const start = Math.max(0, from)
      const end = Math.min(kept(), to)
      const out: PaneLine[] = []
      for (let index = start; index < end; index += 1) {
        const line = lines[(first + index) % capacity]
        if (line) out.push(line)
      }
      return out
    },
  }
}

/** Its agent has not ended, whether or not it is suspended. */
export function isWorking(pane: Pick<Pane, 'status'>): boolean {
  return pane.status === 'running' || pane.status === 'suspended'
}
