import { useRef, useState } from 'react'
import type { LogPlace, LogQuery, RunControls } from '../../view/view.js'

/** What was found last in a log. */
export interface LogHit extends LogPlace {
  path: string
  wanted: string
  /** A new number for each hit. */
  seq: number
}

export type Found = 'found' | 'nothing' | 'replaced' | 'gone' | 'unreadable'

export interface LogSearch {
  hit: LogHit | undefined
  /** The next line with a text, or what became of the search. `replaced`: another one has begun meanwhile. */
  find(path: string, query: LogQuery): Promise<Found>
  /** Ends a search that is under way. */
  stop(): void
}

const gone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

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
      const place = await search?.(path, query, mine.signal).catch(
        (error: unknown): Found => (gone(error) ? 'gone' : 'unreadable'),
      )
      if (mine.signal.aborted) return 'replaced'
      if (!place) return 'nothing'
      if (typeof place === 'string') return place
      count.current += 1
      setHit({ ...place, path, wanted: query.wanted, seq: count.current })
      return 'found'
    },
    stop: () => running.current?.abort(),
  }
}
