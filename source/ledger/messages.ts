import type { JournalRecord } from './journal-record.js'

// Messages of the person to an agent, as notes in the journal. Their keys say what became of them.

export const keptKey = 'steer-'
export const saidKey = 'said-'

/** True for a message that waits for the next dispatch to begin. */
export function isKeptMessage(record: Extract<JournalRecord, { type: 'note' }>): boolean {
  return record.key?.startsWith(keptKey) === true
}

/** What the timeline says of a note, where it is a message of the person. */
export function messageText(record: Extract<JournalRecord, { type: 'note' }>): string | undefined {
  if (record.key?.startsWith(keptKey)) return `for the next agent: ${record.text}`
  if (record.key?.startsWith(saidKey)) return `told the agent: ${record.text}`
  return undefined
}
