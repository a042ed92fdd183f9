import type { Ledger } from '../ledger/ledger.js'
import type { GateDesk } from './gate-desk.js'
import type { Hide } from './hidden.js'
import type { Hold } from './hold.js'
import type { LiveStore } from './live-store.js'
import type { Machine } from './machine.js'
import type { Saver } from './saver.js'
import { RunStopped } from './stopped.js'

export interface RunParts<State extends object> {
  machine: Machine<State>
  ledger: Ledger<State>
  live: LiveStore
  hold: Hold
  /** Aborted by `stop`. */
  signal: AbortSignal
  /** Ends the run with its state saved, as the key does. */
  stop(): void
  now(): Date
  /** Hides secrets in what is recorded and shown, but for what a person typed. Without it nothing is hidden. */
  hide?: Hide
  /** Is told of records that an earlier process left in a visit and no code asked for; tests throw there. */
  onLeftovers?(steps: readonly string[]): void
}

/** What every part of a run works with. */
export interface RunContext<State extends object> extends RunParts<State> {
  hide: Hide
  desk: GateDesk
  saver: Saver<State>
  /** Ends with the visit, or with the run: whatever a state function left under way is ended by it. */
  readonly visitSignal: AbortSignal
  /** The newest saved state. Throws before the first one. */
  saved(): State
  /** Names a step of this visit, once. Throws RunStopped when the visit is over. */
  claim(step: string): void
  /** Throws RunStopped after a stop, and when the visit is over. */
  stopIfAsked(): void
  /** Waits while the person holds the run, then the same. */
  pause(): Promise<void>
  /** Work that has to come to its end before the visit does. */
  underWay<Result>(work: Promise<Result>): Promise<Result>
}

/** The context, and what ends the visit that goes on. */
export interface VisitContext<State extends object> extends RunContext<State> {
  /** Ends the agents and questions of this visit, waits for them, and takes the next one. */
  endVisit(): Promise<void>
}

export function createContext<State extends object>(
  parts: RunParts<State>,
  { desk, saver }: { desk: GateDesk; saver: Saver<State> },
): VisitContext<State> {
  const { ledger, live, hold, signal } = parts
  const working = new Set<Promise<unknown>>()
  let over = new AbortController()
  let visitSignal = AbortSignal.any([signal, over.signal])

  const stopIfAsked = () => {
    if (visitSignal.aborted) throw new RunStopped('key')
  }

  return {
    ...parts,
    hide: parts.hide ?? ((text) => text),
    desk,
    saver,
    get visitSignal() {
      return visitSignal
    },
    saved() {
      if (ledger.state === undefined) throw new Error('the session has no state yet')
      return ledger.state
    },
    claim(step) {
      stopIfAsked()
      if (!ledger.visit.claim(step))
        throw new Error(`the key of ${step} is used twice in one visit of ${ledger.visit.state}`)
    },
    stopIfAsked,
    async pause() {
      stopIfAsked()
      if (!hold.held) return
      await saver.append({ type: 'held' })
      await hold.wait(() => live.patch({ status: 'held' }))
      stopIfAsked()
      await saver.append({ type: 'released' })
      live.patch({ status: 'running' })
    },
    underWay(work) {
      const settled: Promise<unknown> = work.catch(() => undefined).then(() => working.delete(settled))
      working.add(settled)
      return work
    },
    async endVisit() {
      over.abort()
      await Promise.all(working)
      over = new AbortController()
      visitSignal = AbortSignal.any([signal, over.signal])
    },
  }
}
