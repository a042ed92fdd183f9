import type { Pane } from '../view/panes.js'
import type { Times } from '../view/times.js'
import type { JournalRecord } from './journal-record.js'

/** What of a dispatch says whose the time is. */
interface Working {
  phase: string
  status: Pane['status']
}

/** An open question. `aside`: a working agent has asked it. */
interface Asked {
  aside: boolean
}

/** The part of a digest that the clock goes on from. It adds to `workByPhase`. */
interface Timed {
  readonly times: Times
  readonly lastAt: string | null
  readonly dispatches: readonly Working[]
  readonly workByPhase: Map<string, number>
}

/** Who is at work, told once for a list of dispatches, which most records leave as it is. */
interface AtWork {
  of: readonly Working[]
  running: number
  /** Of those at work, else that of the last one; each once. */
  phases: readonly string[]
}

function atWorkIn(dispatches: readonly Working[]): AtWork {
  const running = dispatches.filter(({ status }) => status === 'running')
  const workers = running.length > 0 ? running : dispatches.slice(-1)
  return {
    of: dispatches,
    running: running.length,
    phases: [...new Set(workers.map(({ phase }) => phase))],
  }
}

/** Counts the time from record to record, as what it was up to then (docs/durability.md, "Times"). */
export function createClock(digest: Timed) {
  const times: Times = { ...digest.times }
  let told: Times | undefined
  let lastMs = digest.lastAt === null ? undefined : Date.parse(digest.lastAt)
  let atWork = atWorkIn(digest.dispatches)

  /** Nothing goes on: a question is open, and no agent works beside those that have asked. */
  function isWaiting(open: readonly Asked[]): boolean {
    return open.length > 0 && atWork.running <= open.filter(({ aside }) => aside).length
  }

  /** Phases that are worked on at once share the time. */
  function work(gone: number): void {
    times.workMs += gone
    const { workByPhase } = digest
    const { phases } = atWork
    for (const phase of phases) workByPhase.set(phase, (workByPhase.get(phase) ?? 0) + gone / phases.length)
  }

  return {
    get times() {
      told ??= { ...times }
      return told
    },
    take(open: readonly Asked[], record: JournalRecord) {
      const before = lastMs
      lastMs = Date.parse(record.at)
      if (before === undefined) return
      told = undefined
      if (atWork.of !== digest.dispatches) atWork = atWorkIn(digest.dispatches)
      const gone = Math.max(0, lastMs - before) || 0
      if (record.type === 'opened') times.awayMs += gone
      // What a person holds stands still for them too; it ends with its release.
      else if (record.type === 'released' || isWaiting(open)) times.waitingMs += gone
      else work(gone)
    },
  }
}
