import type { RunSnapshot, RunStore } from '../view/view.js'

/** What one frame of the run screen is drawn from. */
export interface FrameData {
  snapshot: RunSnapshot
  /** Epoch milliseconds, for elapsed times. */
  now: number
}

export interface FrameStore {
  getSnapshot(): FrameData
  subscribe(listener: () => void): () => void
  /** Epoch milliseconds, also while nothing is drawn. */
  clock(): number
}

/** Ten frames a second for data: docs/terminal.md "Frames". Keys do not wait for it. */
const dataInterval = 100
const clockInterval = 1000

/** A change that a person waits for, so that it is drawn at once. */
function isUrgent(before: RunSnapshot, after: RunSnapshot): boolean {
  return (
    before.question?.id !== after.question?.id ||
    before.status !== after.status ||
    before.banner !== after.banner
  )
}

/** The only throttle between a run and the screen, and the only clock of the run screen. */
export function createFrameStore(store: RunStore, now: () => number = Date.now): FrameStore {
  const listeners = new Set<() => void>()
  let data: FrameData = { snapshot: store.getSnapshot(), now: now() }
  let drawnAt = 0
  let pending: NodeJS.Timeout | undefined
  let clock: NodeJS.Timeout | undefined
  let unsubscribe: (() => void) | undefined

  function draw(): void {
    clearTimeout(pending)
    pending = undefined
    drawnAt = now()
    data = { snapshot: store.getSnapshot(), now: drawnAt }
    for (const listener of listeners) listener()
  }

  function changed(): void {
    const wait = dataInterval - (now() - drawnAt)
    if (wait <= 0 || isUrgent(data.snapshot, store.getSnapshot())) draw()
    else pending ??= setTimeout(draw, wait)
  }

  function tick(): void {
    // A run that does nothing for a while needs no clock.
    const { status, question } = data.snapshot
    const rests = status === 'held' || status === 'suspended' || status === 'ended'
    if (!rests || question?.countdown) draw()
  }

  function start(): void {
    unsubscribe = store.subscribe(changed)
    clock = setInterval(tick, clockInterval)
    if (store.getSnapshot() !== data.snapshot) draw()
  }

  function stop(): void {
    unsubscribe?.()
    clearInterval(clock)
    clearTimeout(pending)
    pending = undefined
  }

  return {
    getSnapshot: () => data,
    clock: now,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) start()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
  }
}
