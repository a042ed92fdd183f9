import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from './journal.js'
import type { SessionOptions } from './session.js'
import type { Settling } from './session-opening.js'
import { type SummaryContent, summaryOf, writeSummary } from './summary-file.js'

/** Tells the lists where an open session stands, beside what is written to it: a list that is early reads the journal's end. */
export interface Summaries<T> {
  /** The newest facts are to be shown. Returns at once; of several that wait only the last is written. It may fail. */
  tell(state: T | undefined): void
  /** Resolves when everything was told. */
  told(): Promise<void>
}

interface Parts<T extends object> extends Pick<Settling<T>, 'fold' | 'main'> {
  options: SessionOptions<T>
  journal: Journal
}

/**
 * How long the newest facts may wait, in milliseconds: whoever waits for them goes on first, and where several come together,
 * as when a run begins, the state is described once.
 */
const gatheredFor = 500

export function createSummaries<T extends object>({ options, fold, main, journal }: Parts<T>): Summaries<T> {
  let next: { state: T | undefined; content: SummaryContent } | undefined
  let working: Promise<void> | undefined
  const hurry = new AbortController()

  async function work(): Promise<void> {
    while (next) {
      await sleep(gatheredFor, undefined, { ref: false, signal: hurry.signal }).catch(() => undefined)
      const { state, content } = next
      next = undefined
      const described = await options.describe?.(state, fold.digest.digest).catch(() => undefined)
      await writeSummary(options.dir, content, { key: options.seal.key, statePath: main.path, described })
    }
    working = undefined
  }

  return {
    tell(state) {
      // A copy, as the next record may be in the journal before it is in the digest.
      next = { state, content: summaryOf(fold.digest, journal.end) }
      working ??= work()
    },
    async told() {
      hurry.abort()
      await working
    },
  }
}
