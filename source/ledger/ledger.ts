import type { Digest } from './digest.js'
import type { FactWithoutImage, JournalFact, JournalRecord } from './journal-record.js'
import type { OpenSessionAsk } from './session-opening.js'
import type { Visit } from './visit.js'

/** What the runner needs of the session on disk: the journal, and the state file behind it. */
export interface Ledger<State> {
  /** The newest state: saved, or (while `behind`) in the journal only. Undefined before the first one. */
  readonly state: State | undefined
  /** What the whole journal comes to; grows with every record. */
  readonly digest: Digest
  /** The visit that goes on, with its records; one without a state name between two visits. */
  readonly visit: Visit
  /** A fact without an image. Resolves when it is on the disk. */
  append(fact: JournalFact): Promise<JournalRecord>
  /**
   * Journal first, with the new state, then the state file. Resolves when both are on the disk. Problems before the
   * record was written (nothing has changed): `foreign-edit`, `fenced`, `disk-full`, `storage`. Problems after it:
   * the ledger is `behind`.
   */
  saveImage(fact: FactWithoutImage, next: State): Promise<JournalRecord>
  /** The last image is in the journal but not yet in the state file. */
  readonly behind: boolean
  /** Saves again what a full disk kept in memory only; the record that was behind, if there was one. */
  retry(): Promise<JournalRecord | undefined>
  /** After a `foreign-edit` Problem, or at any time: what to decide. Undefined if journal and state file are ours. */
  foreignEdit(): Promise<OpenSessionAsk<State> | undefined>
}
