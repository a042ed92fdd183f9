import type { Problem } from '../problem.js'
import { endProcesses } from '../processes/end-processes.js'
import { createHold, type Hold } from '../run/hold.js'
import type { LiveStore } from '../run/live-store.js'
import { interludeHelp } from '../ui/keymap.js'
import type { SessionRun } from './session-run.js'

// What a run is stopped, held and asked with: by keys, by signals, by another process that took the session over.

/** What the run is stopped and asked with, by keys and by signals. */
export interface Desk {
  live: LiveStore
  hold: Hold
  stopping: AbortController
  stop(): void
}

export function openDesk(live: LiveStore): Desk {
  const hold = createHold()
  const stopping = new AbortController()
  return {
    live,
    hold,
    stopping,
    stop() {
      if (stopping.signal.aborted) return
      live.patch({ status: 'stopping', stoppingSince: Date.now() })
      stopping.abort()
      hold.release()
    },
  }
}

/** What a person asked for between two states; the driver takes it when it gets there. */
export function interludeRequest(live: LiveStore) {
  let asked: string | undefined
  return {
    /** Asked for twice, it is taken back. */
    ask: (id: string) => {
      const { interludes, state } = live.getSnapshot().view
      const found = interludeHelp(interludes).find(({ interlude }) => interlude.id === id)
      if (found === undefined) return
      asked = asked === id ? undefined : id
      const told = `After ${state} you can ${found.interlude.label} (${found.key}: undo)`
      live.patch({ banner: asked === undefined ? undefined : told })
    },
    take: () => {
      const taken = asked
      asked = undefined
      if (taken !== undefined) live.patch({ banner: undefined })
      return taken
    },
  }
}

/** Stops the run when a signal ends the program, when a person leaves it, or when the session was taken over elsewhere. */
export function watchEnds<State extends object>(
  { store, ui, interrupt }: SessionRun<State>,
  runId: string,
  stop: () => void,
): { unwatch(): void; taken(): Problem | undefined } {
  const onInterrupt = () => {
    void store.append({ type: 'interrupted', text: String(interrupt?.reason) }).catch(() => undefined)
    stop()
  }
  if (interrupt?.aborted) onInterrupt()
  else interrupt?.addEventListener('abort', onInterrupt, { once: true })
  const unlisten = ui.onQuit((how) => {
    stop()
    if (how !== 'stop') void endProcesses([runId])
  })
  let taken: Problem | undefined
  const unwatchLock = store.lock.watch((problem) => {
    taken = problem
    stop()
    // Its agents would work beside those of the other process.
    void endProcesses([runId])
  })
  return {
    taken: () => taken,
    unwatch() {
      interrupt?.removeEventListener('abort', onInterrupt)
      unlisten()
      unwatchLock()
    },
  }
}
