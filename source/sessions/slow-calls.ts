import { durationText } from '../durations.js'
import type { GitCalls } from '../project/git-calls.js'
import type { LiveStore } from '../run/live-store.js'

// Calls of git, with their hooks, that take long: named on the screen, ended when the run stops (docs/durability.md, "Calls
// to git").

const lookMs = 1000
/** From here on somebody wants to know what is going on. */
const slowMs = 3000
/** A call that has nothing to wait for is over by then, also after a stop. */
const patienceMs = 2000

/** Looks until the returned function is called. */
export function watchSlowCalls(calls: GitCalls, live: LiveStore, stopping: AbortSignal): () => void {
  let shown: string | undefined
  let isLooking = false

  async function look(): Promise<void> {
    if (stopping.aborted) calls.end(patienceMs)
    const slow = await calls.slowest(slowMs)
    const text = slow && `${slow.name} has been running for ${durationText(slow.seconds * 1000)}. q ends it.`
    // A banner of somebody else stays.
    if (text === shown || (text === undefined && live.getSnapshot().banner !== shown)) return
    shown = text
    live.patch({ banner: text })
  }

  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look()
      .catch(() => undefined)
      .then(() => {
        isLooking = false
      })
  }, lookMs)
  timer.unref()
  return () => clearInterval(timer)
}
