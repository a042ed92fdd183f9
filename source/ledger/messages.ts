import type { JournalRecord } from './journal-record.js'

// Messages of the person to an agent, as notes in the journal. Their keys say what became of them.

export const keptKey = 'steer-'
export const saidKey = 'said-'

/** Messages that no dispatch has taken yet, oldest first: what was kept after the last one began. */
export function keptMessages(records: readonly JournalRecord[]): string[] {
  const kept: string[] = []
  for (const record of records.toReversed()) {
    if (record.type === 'dispatched') break
    if (record.type === 'note' && record.key?.startsWith(keptKey)) kept.unshift(record.text)
  }
  return kept
}

/** What the timeline says of a note, where it is a message of the person. */
export function messageText(record: Extract<JournalRecord, { type: 'note' }>): string | undefined {
  if (record.key?.startsWith(keptKey)) return `for the next agent: ${record.text}`
  if (record.key?.startsWith(saidKey)) return `told the agent: ${record.text}`
  return undefined
}
