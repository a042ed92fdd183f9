import { join } from 'node:path'
import type { z } from 'zod'
import { Problem } from '../problem.js'
import { ensureDir } from '../storage/contained-path.js'
import { readVerified, removeOwnTemps, writeDurable } from '../storage/durable-file.js'
import { type JsonStore, openJsonStore, type StoreRead } from '../storage/json-store.js'
import { hashOf } from '../storage/json-text.js'
import { type Acquired, acquireLock, type Lock, networkWarning } from '../storage/lock.js'
import { freeReserve, keepReserve } from '../storage/reserve.js'
import {
  type FactWithoutImage,
  type Image,
  type Journal,
  type JournalFact,
  type JournalRecord,
  openJournal,
} from './journal.js'
import { editDuringRun, type SessionAsk, settle } from './session-opening.js'

// A session on disk: lock, journal and state file as one (reliability.md sections 1 to 4).

export interface SessionOptions<T> {
  /** Absolute path of the session directory; created if it is missing. */
  dir: string
  /** Absolute path above it that is trusted: the project. No link is followed below it. */
  root: string
  /** Name of the state file in `dir`, such as `autopilot-state.json`. */
  stateFile: string
  /** As in StoreOptions: may migrate older formats, and throws Problem('newer-version') for newer ones. */
  schema: z.ZodType<T>
  version: string
  /** Take the lock with exactly this id by force. */
  takeover?: string
}

export type SessionOpening<T> =
  /** Somebody else has it; `openElsewhere` of storage/lock.ts words it. */
  | Extract<Acquired, { kind: 'open' }>
  | { kind: 'ready'; store: SessionStore<T> }
  /** A person must decide first: `ask.resolve(...)` and then `proceed()`, or `close()` and all stays as it is. */
  | {
      kind: 'ask'
      ask: SessionAsk<T>
      notices: readonly string[]
      proceed(): Promise<SessionStore<T>>
      close(): Promise<void>
    }

export interface SessionStore<T> {
  /** The newest state: saved, or (while `behind`) in the journal only. Undefined in a session without a state yet. */
  readonly state: T | undefined
  readonly records: readonly JournalRecord[]
  readonly lock: Lock
  /** The state file as it was when the store became ready, with raw value and bytes: for migration backups. */
  readonly opened: StoreRead<T>
  /** What was mended or passed over while opening, one sentence each. */
  readonly notices: readonly string[]
  /** The last image is in the journal but could not be saved; `retry` is needed before the next one. */
  readonly behind: boolean
  /** A fact without an image. Resolves when it is on the disk. */
  append(fact: JournalFact): Promise<JournalRecord>
  /**
   * Journal first, with the whole new state, then the state file. Resolves when both are on the disk. Problems before
   * the record was written (nothing has changed): `foreign-edit`, `fenced`, `disk-full`, `storage`. Problems after it:
   * the store is `behind` and `state` is `next`. After `storage-dead` every later write is refused in the same way.
   */
  saveImage(fact: FactWithoutImage, next: T): Promise<JournalRecord>
  /** Saves again while `behind`; does nothing otherwise. */
  retry(): Promise<void>
  /** Gives 64 KB back to a full disk, for one last record and save. False if that was done before. */
  freeReserve(): Promise<boolean>
  /** After a `foreign-edit` Problem: what to ask. Undefined if the file is ours again. */
  foreignEdit(): Promise<SessionAsk<T> | undefined>
  /** Writes a file beside the state file unless it is there: the backup of a format before its migration. */
  backupOnce(name: string, bytes: Buffer): Promise<void>
  /** Waits for running saves, then gives the session back. */
  close(): Promise<void>
}

/** Takes a session: lock, journal, state file, in this order. Problems are thrown with the lock given back. */
export async function openSessionStore<T extends object>(
  options: SessionOptions<T>,
): Promise<SessionOpening<T>> {
  const { dir, root } = options
  await ensureDir(dir, root)
  const acquired = await acquireLock(dir, { version: options.version, takeover: options.takeover })
  if (acquired.kind === 'open') return acquired
  const { lock } = acquired
  try {
    await removeOwnTemps(dir)
    const journal = await openJournal(join(dir, 'journal.jsonl'), {
      lockId: lock.lockId,
      epoch: lock.epoch,
      fence: lock.check,
    })
    try {
      return await openWithJournal(options, lock, journal)
    } catch (error) {
      await journal.close()
      throw error
    }
  } catch (error) {
    await lock.release().catch(() => undefined)
    throw error
  }
}

async function openWithJournal<T extends object>(
  options: SessionOptions<T>,
  lock: Lock,
  journal: Journal,
): Promise<SessionOpening<T>> {
  const main = await openJsonStore<T>({
    path: join(options.dir, options.stateFile),
    schema: options.schema,
    root: options.root,
    beforeRename: async () => {
      await lock.check()
      if (!(await main.statMatches())) throw edited(main.path)
    },
  })
  const notices = journal.problems.map((problem) => `Journal: ${problem}.`)
  const warning = await networkWarning(options.dir)
  if (warning) notices.push(warning)
  const close = async () => {
    await journal.close()
    await lock.release()
  }
  const proceed = async () => {
    const open = await settle({ main, journal, notices })
    if (open) throw undecided(main.path)
    await keepReserve(options.dir)
    return createStore({ main, journal, lock, notices, dir: options.dir, close })
  }
  const ask = await settle({ main, journal, notices })
  if (ask) return { kind: 'ask', ask, notices, proceed, close }
  return { kind: 'ready', store: await proceed() }
}

interface StoreParts<T> {
  main: JsonStore<T>
  journal: Journal
  lock: Lock
  notices: string[]
  dir: string
  close(): Promise<void>
}

function createStore<T extends object>(parts: StoreParts<T>): SessionStore<T> {
  const { main, journal, lock, notices, dir } = parts
  const opened = main.read
  let state = main.data
  /** Hash of the state file as this session left it. */
  let ours = main.hash
  let pending: { next: T; image: Image } | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let dead: Problem | undefined

  /** One save at a time: the next one must see the hash that the last one left. */
  function inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    const done = queue.then(() => unlessDead(action))
    queue = done.catch(() => undefined)
    return done
  }

  /** After the disk failed once nothing is written any more, not even what would seem to work. */
  async function unlessDead<Result>(action: () => Promise<Result>): Promise<Result> {
    if (dead) throw dead
    try {
      return await action()
    } catch (error) {
      if (error instanceof Problem && error.code === 'storage-dead') dead = error
      throw error
    }
  }

  /** The file must hold one of these versions (hashes); another is somebody else's work. */
  async function expectOnDisk(hashes: (string | null)[]): Promise<void> {
    if (hashes.includes(main.hash) && (await main.statMatches())) return
    const hash = await main.hashOnDisk()
    if (hash === undefined || !hashes.includes(hash)) throw edited(main.path)
    await main.restamp()
  }

  async function save(): Promise<void> {
    if (!pending) return
    await expectOnDisk([pending.image.before, pending.image.after])
    await main.commit(pending.next)
    settled()
    await keepReserve(dir)
  }

  async function saveImage(fact: FactWithoutImage, next: T): Promise<JournalRecord> {
    if (pending) throw stillBehind(main.path)
    await expectOnDisk([ours])
    const image = { before: ours, after: hashOf(main.serialise(next)), state: next }
    const record = await journal.append({ ...fact, image } as JournalFact)
    pending = { next, image }
    state = next
    await save()
    return record
  }

  function settled(): void {
    pending = undefined
    state = main.data
    ours = main.hash
  }

  async function foreignEdit(): Promise<SessionAsk<T> | undefined> {
    if (pending && (await main.hashOnDisk()) === pending.image.before) return undefined
    const ask = await editDuringRun({ main, journal, notices })
    if (ask) return andThen(ask, settled)
    if (pending) settled()
    return undefined
  }

  return {
    get state() {
      return state
    },
    records: journal.records,
    lock,
    opened,
    notices,
    get behind() {
      return pending !== undefined
    },
    append: async (fact) => {
      if ('image' in fact && fact.image) throw new Error('a record with a state goes through saveImage')
      return unlessDead(() => journal.append(fact))
    },
    saveImage: (fact, next) => inTurn(() => saveImage(fact, next)),
    retry: () => inTurn(save),
    freeReserve: () => freeReserve(dir),
    foreignEdit: () => inTurn(foreignEdit),
    backupOnce: async (name, bytes) => {
      const path = join(dir, name)
      if ((await readVerified(path)).kind === 'missing')
        await writeDurable(path, bytes, { beforeRename: lock.check })
    },
    close: async () => {
      await queue
      await parts.close()
    },
  }
}

function andThen<T>(ask: SessionAsk<T>, after: () => void): SessionAsk<T> {
  switch (ask.kind) {
    case 'foreign-edit':
      return { ...ask, resolve: (choice) => ask.resolve(choice).then(after) }
    case 'rebuild':
    case 'adopt':
      return { ...ask, resolve: () => ask.resolve().then(after) }
  }
}

function edited(path: string): Problem {
  return new Problem({
    code: 'foreign-edit',
    what: `${path} was changed by something else while the session was open.`,
    why: 'Saving now would overwrite that change without anybody having seen it.',
    todo: 'Look at the change, then accept it or put the state of the session back.',
  })
}

function stillBehind(path: string): Problem {
  return new Problem({
    code: 'disk-full',
    what: `The last step is not in ${path} yet.`,
    why: 'Steps are saved one after the other, so the next one has to wait.',
    todo: 'Free some space on this disk, then retry.',
  })
}

function undecided(path: string): Problem {
  return new Problem({
    code: 'foreign-edit',
    what: `${path} still does not agree with its journal.`,
    why: 'Going on needs a decision of a person first.',
    todo: 'Open the session again and decide.',
  })
}
