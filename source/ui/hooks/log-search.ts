import { useRef, useState } from 'react'
import type { LogPlace, LogQuery, RunControls } from '../../view/view.js'

/** What was found last in a log. */
export interface LogHit extends LogPlace {
  path: string
  wanted: string
  /** A new number for each hit. */
  seq: number
}

export interface LogSearch {
  hit: LogHit | undefined
  /** The next line with a text; false where there is none. Undefined: another search has begun meanwhile. */
  find(path: string, query: LogQuery): Promise<boolean | undefined>
  /** Ends a search that is under way. */
  stop(): void
}

/** Search in whole logs, beside everything else: only what was asked for last comes to something. */
export function useLogSearch(search: RunControls['searchLog']): LogSearch {
  const [hit, setHit] = useState<LogHit>()
  const running = useRef<AbortController | undefined>(undefined)
  const count = useRef(0)

  return {
    hit,
    async find(path, query) {
      running.current?.abort()
      const mine = new AbortController()
      running.current = mine
      const place = await search?.(path, query, mine.signal).catch(() => undefined)
      if (mine.signal.aborted) return undefined
      if (!place) return false
      count.current += 1
      setHit({ ...place, path, wanted: query.wanted, seq: count.current })
      return true
    },
    stop: () => running.current?.abort(),
  }
}
