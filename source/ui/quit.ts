import type { QuitKind } from './contract.js'

/** What Ctrl+C does: it dismisses what waits for a person; where a run goes on, it stops it and then kills it. */
export function createQuit() {
  const listeners = new Set<(how: QuitKind) => void>()
  let dismiss: (() => void) | undefined
  let stops = 0

  function quit(how: QuitKind): void {
    for (const listener of listeners) listener(how)
  }

  return {
    listen(listener: (how: QuitKind) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    gone: () => quit('gone'),
    /** A key said so; Ctrl+C after it kills. */
    stop() {
      stops = Math.max(stops, 1)
      quit('stop')
    },
    interrupt() {
      if (dismiss) return dismiss()
      stops += 1
      quit(stops === 1 ? 'stop' : 'kill')
    },
    /** Ctrl+C calls `leave` until the returned function is called. */
    dismissing(leave: () => void) {
      dismiss = leave
      return () => {
        if (dismiss === leave) dismiss = undefined
      }
    },
  }
}
