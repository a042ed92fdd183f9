import { useMemo, useRef, useState } from 'react'
import type { TimelineEntry } from '../../view/view.js'
import { formatAge, formatTime } from '../format.js'
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
    `No key for ${formatAge(until - since) ?? 'a while'}`,
    ...told.map(({ at, text }) => `${formatTime(at)} ${text}`),
  ]
}

/** What happened while no key was pressed for long; undefined as long as nobody was away. */
export function useAway(
  timeline: readonly TimelineEntry[],
  clock: () => number,
  onBack: () => void,
): readonly string[] | undefined {
  const lastKey = useRef<number | undefined>(undefined)
  const [span, setSpan] = useState<Span | undefined>(undefined)
  lastKey.current ??= clock()
  useKeys(() => {
    const until = clock()
    const since = lastKey.current ?? until
    lastKey.current = until
    if (until - since >= awayMs) {
      setSpan({ since, until })
      onBack()
    }
    // The key means what it means.
    return false
  }, rank.first)
  return useMemo(() => (span ? toldWithin(timeline, span) : undefined), [timeline, span])
}
