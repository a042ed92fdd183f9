/** Which clock ran out; `tool` is kept by activity.ts, as only the events of an agent tell of tools. */
export type WatchdogName = 'first' | 'idle' | 'wall' | 'tool'

/** Limits in milliseconds; 0 switches one off. */
export interface WatchdogLimits {
  firstMs: number
  idleMs: number
  wallMs: number
}

export interface Watchdogs {
  /** The agent gave a sign of life. */
  touch(): void
  /** A tool, an ask or an announced retry delay is open: silence is expected meanwhile. */
  busy(on: boolean): void
  /** No clock runs while the processes are suspended. */
  pause(on: boolean): void
  stop(): void
}

/**
 * Three clocks over one agent: until its first event, between events, and for all of it (docs/agents.md,
 * "Watchdogs").
 */
export function startWatchdogs(limits: WatchdogLimits, expired: (name: WatchdogName) => void): Watchdogs {
  const wall = createClock(limits.wallMs, () => fire('wall'))
  let silence = createClock(limits.firstMs, () => fire('first'))
  let heard = false
  let isBusy = false
  let paused = false
  let over = false

  function fire(name: WatchdogName): void {
    stop()
    expired(name)
  }

  function stop(): void {
    over = true
    wall.stop()
    silence.stop()
  }

  function settle(): void {
    if (over) return
    if (paused || isBusy) silence.stop()
    else silence.start()
    if (paused) wall.stop()
    else wall.start()
  }

  settle()
  return {
    touch() {
      if (over) return
      if (heard) return silence.reset()
      heard = true
      silence.stop()
      silence = createClock(limits.idleMs, () => fire('idle'))
      settle()
    },
    busy(on) {
      isBusy = on
      silence.reset()
      settle()
    },
    pause(on) {
      paused = on
      settle()
    },
    stop,
  }
}

/** Runs on when somebody sets the time of the machine, and stands still while it sleeps. */
interface Clock {
  start(): void
  stop(): void
  /** Begins anew without making a timer for each of thousands of events. */
  reset(): void
}

function createClock(limitMs: number, fire: () => void): Clock {
  let timer: NodeJS.Timeout | undefined
  let left = limitMs
  let since = 0

  function arm(): void {
    timer = setTimeout(() => {
      const passed = performance.now() - since
      if (passed >= left) return fire()
      left -= passed
      since = performance.now()
      arm()
    }, left)
  }

  return {
    start() {
      if (timer || limitMs <= 0) return
      since = performance.now()
      arm()
    },
    stop() {
      if (!timer) return
      clearTimeout(timer)
      timer = undefined
      left = Math.max(1, left - (performance.now() - since))
    },
    reset() {
      left = limitMs
      since = performance.now()
    },
  }
}
