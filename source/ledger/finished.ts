import type { JournalRecord } from './journal.js'

/** True once the transition that ended the workflow is in the journal. */
export function isFinished(records: readonly JournalRecord[]): boolean {
  for (let index = records.length - 1; index >= 0; index -= 1) {
    const record = records[index]
    if (record?.type === 'transition') return record.finished === true
    if (record?.type === 'adopted') return false
  }
  return false
}
