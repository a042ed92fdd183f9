import { counted } from '../counted.js'
import type { Digest } from '../ledger/digest.js'

const shownFacts = 6

/**
 * A short account for a person who comes back: how the last visit ended and what happened in it, newest last.
 * Empty for a session that is opened for the first time.
 */
export function recapOf({ lastRun, timeline }: Digest, position: string): string[] {
  if (!lastRun) return []
  const { endedAt, stopped, facts } = lastRun
  const hidden = facts - shownFacts
  const shown = facts === 0 ? [] : timeline.slice(-Math.min(facts, shownFacts))
  return [
    `${stopped ? 'Stopped' : 'Ended without a stop'} at ${clock(endedAt)} on ${day(endedAt)}. ${position}`,
    ...(hidden > 0 ? [`(${counted(hidden, 'earlier line is', 'earlier lines are')} in the timeline)`] : []),
    ...shown.map((fact) => `${clock(fact.at)} ${fact.text}`),
  ]
}

/** Local time of day, as everywhere on the screen. */
function clock(iso: string): string {
  const date = new Date(iso)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

function day(iso: string): string {
  const date = new Date(iso)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function two(count: number): string {
  return String(count).padStart(2, '0')
}
