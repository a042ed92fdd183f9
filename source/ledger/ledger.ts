import type { FactWithoutImage, JournalFact, JournalRecord } from './journal.js'
import type { SessionAsk } from './session-opening.js'

/** What the runner needs of the session on disk: the journal, and the state file behind it. */
export interface Ledger<State> {
  readonly state: State | undefined
  readonly records: readonly JournalRecord[]
  append(fact: JournalFact): Promise<JournalRecord>
  /** Journal first, with the whole new state, then the state file. */
  saveImage(fact: FactWithoutImage, next: State): Promise<JournalRecord>
  /** The last image is in the journal but not yet in the state file. */
  readonly behind: boolean
  /** Saves again what a full disk kept in memory only. */
  retry(): Promise<void>
  /** After a `foreign-edit` Problem: what to decide. Undefined if the file is ours again. */
  foreignEdit(): Promise<SessionAsk<State> | undefined>
}
