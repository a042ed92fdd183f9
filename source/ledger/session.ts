import type { Acquired, Lock, LockOwner } from '../storage/lock.js'
import type { StateCodec } from '../storage/state-codec.js'
import type { StoreRead } from '../storage/state-store.js'
import type { Digest } from './digest.js'
import type { Ledger } from './ledger.js'
import type { SealPlace } from './seal.js'
import type { SessionAsk } from './session-opening.js'

export interface SessionOptions<T> {
  /** Absolute path of the session directory; created if it is missing. */
  dir: string
  /** Absolute path above it that is trusted: the project. No link is followed below it. */
  root: string
  /** Name of the state file in `dir`, such as `autopilot-state.json`. */
  stateFile: string
  /** Name of its backup in `dir`; without it `<name>.bak`. */
  backupFile?: string
  /** May migrate older formats. */
  codec: StateCodec<T>
  version: string
  /** Where the seal of this session lies, and its key. */
  seal: SealPlace
  /** The project was made a moment ago, so a seal of an earlier one of its name means nothing. */
  fresh?: boolean
  /** Take the lock with exactly this id by force. */
  takeover?: string | undefined
  /** What lists show of a state, as plain JSON; written into the summary file. What it throws is not written. */
  describe?(state: T | undefined, digest: Digest): Promise<unknown>
}

export type SessionOpening<T> =
  /** Somebody else has it; `openElsewhere` of storage/lock.ts words it. */
  | Extract<Acquired, { kind: 'open' }>
  | { kind: 'ready'; store: SessionStore<T> }
  /**
   * A person must decide first: `ask.resolve(...)` where it has one, and then `proceed()`, after which there may be one
   * more to decide; or `close()` and all stays as it is.
   */
  | {
      kind: 'ask'
      ask: SessionAsk<T>
      notices: readonly string[]
      proceed(): Promise<SessionOpening<T>>
      close(): Promise<void>
    }

export interface SessionStore<T> extends Ledger<T> {
  readonly lock: Lock
  /** Whose lock was taken by force when it was opened. */
  readonly tookOver: LockOwner | undefined
  /** The state file as it was when the store became ready, with its bytes: for migration backups. */
  readonly opened: StoreRead<T>
  /** What was mended or passed over while opening, one sentence each. */
  readonly notices: readonly string[]
  /** Gives 64 KB back to a full disk, for one last record and save. False if that was done before. */
  freeReserve(): Promise<boolean>
  /** Writes a file beside the state file unless it is there: the backup of a format before its migration. */
  backupOnce(name: string, bytes: Buffer): Promise<void>
  /** Waits for running saves, then gives the session back. */
  close(): Promise<void>
}
