import type { Coloured } from '../terminal/colours.js'
import type { Usage } from './usage.js'

/** One line of an agent's output, already split, sanitised and classified. */
export interface PaneLine {
  kind: 'text' | 'thinking' | 'tool' | 'note' | 'error' | 'log'
  text: string
  /** It is to be read as this, and not as prose. */
  as?: 'code' | 'diff'
  /** Parts of `text` that have a colour of their own. */
  colours?: readonly Coloured[]
  /** The call of a tool that it begins or, with `outcome`, ends; unique in its pane. */
  call?: string
  outcome?: 'ok' | 'failed' | 'denied'
  /** What the call changed or printed: shown when somebody wants to see it. */
  folded?: readonly PaneLine[]
}

/** A line with those that are folded below it. */
export function unfolded(line: PaneLine): PaneLine[] {
  return line.folded ? [line, ...line.folded] : [line]
}

/** Several lines that came at once; they are made when somebody looks at them. */
export interface PaneBlock {
  readonly count: number
  /** Lines `from` (inclusive) to `to` (exclusive). */
  slice(from: number, to: number): PaneLine[]
  /** True where its text holds that, whether or not its lines are made yet. */
  includes(text: string): boolean
}

/** Each line of what a pane is told. */
export function linesOf(told: PaneLine | PaneBlock): PaneLine[] {
  return 'count' in told ? told.slice(0, told.count) : [told]
}

/** Lines kept per pane; the full output is in the log file (docs/terminal.md "Panes"). */
export const paneCapacity = 5000

/** Fixed-size buffer of lines. `total` counts every line ever pushed, so scroll positions stay stable. */
export interface LineRing {
  readonly total: number
  readonly length: number
  /** Bytes that the log had when the oldest kept lines came; undefined where that is not known. */
  readonly oldestAt: number | undefined
  /** `at`: bytes that the log has now. */
  push(lines: PaneLine | PaneBlock, at?: number): void
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
  /** Its log has more in front of its first line. */
  isTail?: boolean
  /** What its agent has used so far, if it says so. */
  usage?: Usage
  lines: LineRing
}

/** Lines that were pushed together, or one after the other; `first` counts over all lines. */
type Stretch = { first: number; count: number; at: number | undefined } & (
  | { lines: PaneLine[] }
  | { block: PaneBlock }
)

/** Single lines of one stretch. */
const stretchLength = 256

export function createLineRing(capacity: number = paneCapacity): LineRing {
  const stretches: Stretch[] = []
  let total = 0
  const kept = () => Math.min(total, capacity)

  function push(lines: PaneLine | PaneBlock, at?: number): void {
    const last = stretches[stretches.length - 1]
    if ('count' in lines) stretches.push({ first: total, count: lines.count, at, block: lines })
    else if (last && 'lines' in last && last.count < stretchLength) {
      last.lines.push(lines)
      last.count += 1
      // The older lines of a stretch go last: its place is that of its newest line.
      last.at = at
    } else stretches.push({ first: total, count: 1, at, lines: [lines] })
    total += 'count' in lines ? lines.count : 1
    while (stretches[0] && stretches[0].first + stretches[0].count <= total - capacity) stretches.shift()
  }

  /** Where in the list the stretch with that line is. */
  function indexOf(line: number): number {
    let low = 0
    let high = stretches.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((stretches[middle]?.first ?? 0) <= line) low = middle
      else high = middle - 1
    }
    return low
  }

  return {
    get total() {
      return total
    },
    get length() {
      return kept()
    },
    get oldestAt() {
      return stretches[0]?.at
    },
    push,
    slice(from, to) {
      const oldest = total - kept()
      const start = oldest + Math.max(0, from)
      const end = oldest + Math.min(kept(), to)
      const out: PaneLine[] = []
      for (let at = start < end ? indexOf(start) : stretches.length; at < stretches.length; at += 1) {
        const stretch = stretches[at]
        if (!stretch || stretch.first >= end) break
        const [low, high] = [Math.max(start, stretch.first) - stretch.first, end - stretch.first]
        out.push(
          ...('block' in stretch ? stretch.block : stretch.lines).slice(low, Math.min(high, stretch.count)),
        )
      }
      return out
    },
  }
}

/** Its agent has not ended, whether or not it is suspended. */
export function isWorking(pane: Pick<Pane, 'status'>): boolean {
  return pane.status === 'running' || pane.status === 'suspended'
}
