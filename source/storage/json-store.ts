import { type Adapter, Low } from 'lowdb'
import type { z } from 'zod'
import { Problem } from '../problem.js'
import { checkContained } from './contained-path.js'
import {
  backupPath,
  type FileStamp,
  keepCopy,
  quarantine,
  readVerified,
  sameStamp,
  stampAt,
  writeDurable,
} from './durable-file.js'
import { hashOf, parseState, serialiseState } from './json-text.js'

// One JSON file kept by lowdb through an adapter of our own: reliability.md section 1.

/** How a file was read. Missing and broken are answers of their own and never become defaults. */
export type StoreRead<T> =
  | { kind: 'missing' }
  | { kind: 'unreadable'; reason: string }
  /** `value` has been through the schema; `raw` is what the file says; `hash` is sha256 hex of `bytes`. */
  | { kind: 'ok'; value: T; raw: unknown; bytes: Buffer; hash: string }

type Readable<T> = Extract<StoreRead<T>, { kind: 'ok' }>

export interface StoreOptions<T> {
  path: string
  /**
   * Decides what is readable. It may transform, so that older formats are migrated while reading; it must take its own
   * output unchanged. A Problem thrown in it, such as `newer-version`, is thrown by the read.
   */
  schema: z.ZodType<T>
  /** No directory between here and the file may be a link. */
  root: string
  /** Check before the file is replaced: the fence of the lock. */
  beforeRename?: () => Promise<void>
}

export interface JsonStore<T> {
  readonly path: string
  /** Last read or committed data; undefined if the file is missing or unreadable. */
  readonly data: T | undefined
  /** sha256 hex of the bytes of the last good read or commit; null if there are none. */
  readonly hash: string | null
  /** Outcome of the last `load`, `commit` or `quarantine`. */
  readonly read: StoreRead<T>
  /** Reads the file again. */
  load(): Promise<StoreRead<T>>
  /** Reads the backup without taking it over. */
  backup(): Promise<StoreRead<T>>
  /** The bytes that `commit` would write, for their hash; Problem for data that could not be read again. */
  serialise(value: T): Buffer
  /** Checks, saves durably, and only then becomes `data`. One at a time, in the order of the calls. */
  commit(next: T): Promise<void>
  /** True if the file is still the one that this process read or wrote last; false is worth a look at its hash. */
  statMatches(): Promise<boolean>
  /** sha256 hex of what is on disk now; null if nothing is there, undefined if it is no readable file. */
  hashOnDisk(): Promise<string | null | undefined>
  /** Takes the file on disk for ours after it was looked at and found unchanged in content. */
  restamp(): Promise<void>
  /** Moves the file aside; a later commit makes no backup of it. */
  quarantine(): Promise<string>
  /** Keeps the present bytes beside the file, as `<name>.<label>-...`. */
  keepCopy(bytes: Buffer, label: string): Promise<string>
}

/** Opens a store and reads its file. Missing and broken files are in `read`; failures of the disk are thrown. */
export async function openJsonStore<T>(options: StoreOptions<T>): Promise<JsonStore<T>> {
  const { path, schema, root } = options
  await checkContained(path, root)

  let read: StoreRead<T> = { kind: 'missing' }
  let stamp: FileStamp | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const adapter: Adapter<T | null> = {
    read: async () => {
      const file = await readVerified(path)
      stamp = file.kind === 'ok' ? file.stamp : await stampAt(path)
      read = file.kind === 'ok' ? readState(file.bytes, schema) : file
      return read.kind === 'ok' ? read.value : null
    },
    write: async (next) => {
      // Only a file that this process has read well or written itself may become the backup.
      const previous = read.kind === 'ok' ? read.bytes : undefined
      stamp = await writeDurable(path, serialiseState(next), { previous, beforeRename: options.beforeRename })
    },
  }
  const db = new Low<T | null>(adapter, null)

  async function load(): Promise<StoreRead<T>> {
    // lowdb keeps its old data when a read gives nothing, so that it must not be there before.
    db.data = null
    await db.read()
    return read
  }

  function check(next: T): Readable<T> {
    const checked = readState(serialiseState(next), schema)
    if (checked.kind === 'ok') return checked
    throw refused(path, checked.kind === 'unreadable' ? checked.reason : checked.kind)
  }

  async function save(next: T): Promise<void> {
    const checked = check(next)
    await checkContained(path, root)
    await db.adapter.write(next)
    read = checked
    db.data = checked.value
  }

  await load()
  return {
    path,
    get data() {
      return db.data ?? undefined
    },
    get hash() {
      return read.kind === 'ok' ? read.hash : null
    },
    get read() {
      return read
    },
    load,
    backup: () => readStateFile(backupPath(path), schema),
    serialise: (value) => check(value).bytes,
    commit: (next) => {
      const saved = queue.then(() => save(next))
      queue = saved.catch(() => undefined)
      return saved
    },
    statMatches: async () => sameStamp(await stampAt(path), stamp),
    hashOnDisk: async () => {
      const file = await readVerified(path)
      if (file.kind === 'missing') return null
      return file.kind === 'ok' ? hashOf(file.bytes) : undefined
    },
    restamp: async () => {
      stamp = await stampAt(path)
    },
    quarantine: async () => {
      const moved = await quarantine(path)
      stamp = undefined
      read = { kind: 'missing' }
      db.data = null
      return moved
    },
    keepCopy: (bytes, label) => keepCopy(path, bytes, label),
  }
}

/** Reads a state file without opening a store, as `status` does for a session that another process holds. */
export async function readStateFile<T>(path: string, schema: z.ZodType<T>): Promise<StoreRead<T>> {
  const file = await readVerified(path)
  return file.kind === 'ok' ? readState(file.bytes, schema) : file
}

function readState<T>(bytes: Buffer, schema: z.ZodType<T>): StoreRead<T> {
  const reading = parseState(bytes)
  if (reading.kind === 'unreadable') return reading
  const checked = schema.safeParse(reading.value)
  if (checked.success) {
    return { kind: 'ok', value: checked.data, raw: reading.value, bytes, hash: hashOf(bytes) }
  }
  const issue = checked.error.issues[0]
  const place = issue && issue.path.length > 0 ? ` at ${issue.path.join('.')}` : ''
  return { kind: 'unreadable', reason: `it does not fit its format${place}: ${issue?.message ?? 'unknown'}` }
}

function refused(path: string, reason: string): Problem {
  return new Problem({
    code: 'storage',
    what: `The new state for ${path} was not saved: ${reason}.`,
    why: 'A state that could not be read again would end the session, so the state on disk was left as it was.',
    todo: 'Start autopilot again to resume from the last saved state, and report this with the session journal.',
  })
}
