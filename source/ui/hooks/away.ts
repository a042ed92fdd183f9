import { useMemo, useRef, useState } from 'react'
import { counted } from '../../counted.js'
import { ageText } from '../../durations.js'
import type { TimelineEntry } from '../../view/view.js'
import { formatTime } from '../format.js'
import { rank, useKeys } from './keys.js'

/** Silence of the keys after which somebody was away: docs/terminal.md "Views". */
export const awayMs = 10 * 60_000

interface Span {
  /** Epoch milliseconds: the key before, and the one that ended the silence. */
  since: number
  until: number
}

/** What was told in that time, and how long it was; nothing where nothing was told. */
export function toldWithin(timeline: readonly TimelineEntry[], { since, until }: Span): string[] {
  const told = timeline.filter(({ at }) => Date.parse(at) > since && Date.parse(at) <= until)
  if (told.length === 0) return []
  return [
    // Alone in a small terminal it still says that there is something to look up.
    `No key for ${ageText(until - since) ?? 'a while'}; ${counted(told.length, 'thing')} happened`,
    ...told.map(({ at, text }) => `${formatTime(at)} ${text}`),
  ]
}

export interface Away {
  /** What happened while no key was pressed for long; undefined as long as nobody was away. */
  told: readonly string[] | undefined
  /** The key that is being handled ended such a silence. */
  isBack(): boolean
}

export function useAway(timeline: readonly TimelineEntry[], clock: () => number, onBack: () => void): Away {
  const lastKey = useRef<number | undefined>(undefined)
  const [span, setSpan] = useState<Span | undefined>(undefined)
  const back = useRef(false)
  lastKey.current ??= clock()
  useKeys(() => {
    const until = clock()
    const since = lastKey.current ?? until
    lastKey.current = until
    back.current = until - since >= awayMs
    if (back.current) {
      setSpan({ since, until })
      onBack()
    }
    // The key means what it means.
    return false
  }, rank.first)
  const told = useMemo(() => (span ? toldWithin(timeline, span) : undefined), [timeline, span])
  return { told, isBack: () => back.current }
}
