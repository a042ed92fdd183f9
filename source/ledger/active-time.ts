import type { JournalRecord } from './journal.js'

/** Milliseconds in which a process drove the session: time in which nothing ran does not count. */
export function activeMs(records: readonly JournalRecord[]): number {
  let total = 0
  let openedAt: number | undefined
  let last = 0
  for (const record of records) {
    const at = Date.parse(record.at)
    if (record.type === 'opened') {
      if (openedAt !== undefined) total += last - openedAt
      openedAt = at
    }
    last = at
  }
  return openedAt === undefined ? total : total + Math.max(0, last - openedAt)
}
