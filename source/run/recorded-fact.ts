import type { JournalRecord } from '../ledger/journal-record.js'

/** What came back from the journal for a fact of this type. */
export function recorded<T extends JournalRecord['type']>(
  record: JournalRecord,
  type: T,
): Extract<JournalRecord, { type: T }> {
  if (record.type !== type) throw new Error(`a ${record.type} came back for a ${type}`)
  return record as Extract<JournalRecord, { type: T }>
}
