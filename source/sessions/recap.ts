import type { JournalRecord } from '../ledger/journal.js'
import { timelineOf } from '../ledger/timeline.js'

const shownFacts = 6

/**
 * A short account for a person who comes back: how the last visit ended and what happened in it, newest last.
 * Empty for a session that is opened for the first time.
 */
export function recapOf(records: readonly JournalRecord[], position: string): string[] {
  const opened = records.flatMap((record, index) => (record.type === 'opened' ? [index] : []))
  const last = opened[opened.length - 1]
  if (last === undefined) return []
  const visit = records.slice(last)
  // What was mended while opening came after the end.
  const end = visit.findLast((record) => record.type !== 'recovered' && record.type !== 'adopted')
  const stopped = visit.some((record) => record.type === 'interrupted')
  const facts = timelineOf(visit)
  const hidden = facts.length - shownFacts
  return [
    `${stopped ? 'Stopped' : 'Ended without a stop'} at ${end ? `${clock(end.at)} on ${day(end.at)}` : 'an unknown time'}. ${position}`,
    ...(hidden > 0 ? [`(${hidden} earlier lines are in the timeline)`] : []),
    ...facts.slice(-shownFacts).map((fact) => `${clock(fact.at)} ${fact.text}`),
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
