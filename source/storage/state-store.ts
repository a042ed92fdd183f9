import { type Adapter, Low } from 'lowdb'
import { Problem } from '../problem.js'
import { checkContained } from './contained-path.js'
import {
  backupPath,
  dropTemporary,
  type FileStamp,
  keepCopy,
  quarantine,
  readVerified,
  sameStamp,
  stampAt,
  type Temporary,
  writeDurable,
  writeTemporary,
} from './durable-file.js'
import { hashOf } from './json-text.js'
import type { StateCodec } from './state-codec.js'

// One state file kept by lowdb through an adapter of our own, in the format of its codec (docs/durability.md).

/** How a file was read. Missing and broken are answers of their own and never become defaults. */
export type StoreRead<T> =
  | { kind: 'missing' }
  | { kind: 'unreadable'; reason: string }
  /** `value` is what the codec made of `bytes`; `hash` is their sha256 in hex. */
  | { kind: 'ok'; value: T; warnings: readonly string[]; bytes: Buffer; hash: string }

/** A state that was checked and written as bytes, but not to the disk yet. */
export type Prepared<T> = Extract<StoreRead<T>, { kind: 'ok' }>

export interface StoreOptions<T> {
  path: string
  codec: StateCodec<T>
  /** Path of its backup; without it `<name>.bak`. */
  backup?: string
  /** No directory between here and the file may be a link. */
  root: string
  /** Check before the file is replaced: the fence of the lock. */
  beforeRename?: () => Promise<void>
}

export interface StateStore<T> {
  readonly path: string
  readonly backupPath: string
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
  /** The bytes of a state and what they will be read as; the only check of a save. Problem if they cannot be read. */
  prepare(value: T): Prepared<T>
  /**
   * Begins to put the bytes of a state on the disk beside the file, while its record is written: nothing of it can be seen
   * before it is committed.
   */
  stage(next: Prepared<T>): void
  /** Takes that back: nothing of it stays. */
  unstage(next: Prepared<T>): Promise<void>
  /**
   * Saves durably, and only then it becomes `data`. One at a time, in the order of the calls. What was staged is used up, also
   * by a commit that fails.
   */
  commit(next: Prepared<T>): Promise<void>
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

/** What the store knows of its file. */
interface Seen<T> {
  read: StoreRead<T>
  stamp: FileStamp | undefined
  /** What is being put on the disk for a commit that is still to come. */
  staged: WeakMap<Prepared<T>, Promise<Temporary>>
}

/** lowdb's side of the file: what is not there or cannot be read is null, never a default. */
function adapterOf<T>(options: StoreOptions<T>, seen: Seen<T>): Adapter<Prepared<T> | null> {
  const { path, codec } = options
  return {
    read: async () => {
      const file = await readVerified(path)
      seen.stamp = file.kind === 'ok' ? file.stamp : await stampAt(path)
      seen.read = file.kind === 'ok' ? readBytes(path, file.bytes, codec) : file
      return seen.read.kind === 'ok' ? seen.read : null
    },
    write: async (next) => {
      if (!next) return
      // Only a file that this process has read well or written itself may become the backup.
      const previous = seen.read.kind === 'ok' ? seen.read.bytes : undefined
      const { beforeRename } = options
      const temporary = seen.staged.get(next)
      seen.staged.delete(next)
      seen.stamp = await writeDurable(path, next.bytes, {
        ...(temporary === undefined ? {} : { temporary }),
        ...(previous ? { previous } : {}),
        ...(options.backup === undefined ? {} : { backup: options.backup }),
        ...(beforeRename ? { beforeRename } : {}),
      })
    },
  }
}

/** Opens a store and reads its file. Missing and broken files are in `read`; failures of the disk are thrown. */
export async function openStateStore<T>(options: StoreOptions<T>): Promise<StateStore<T>> {
  const { path, codec, root, backup = backupPath(path) } = options
  await checkContained(path, root)
  const seen: Seen<T> = { read: { kind: 'missing' }, stamp: undefined, staged: new WeakMap() }
  const db = new Low<Prepared<T> | null>(adapterOf(options, seen), null)
  let queue: Promise<unknown> = Promise.resolve()

  async function load(): Promise<StoreRead<T>> {
    // lowdb keeps its old data when a read gives nothing, so that it must not be there before.
    db.data = null
    await db.read()
    return seen.read
  }

  async function save(next: Prepared<T>): Promise<void> {
    await checkContained(path, root)
    await db.adapter.write(next)
    seen.read = next
    db.data = next
  }

  function stage(next: Prepared<T>): void {
    const temporary = checkContained(path, root).then(() => writeTemporary(path, next.bytes))
    // Whoever commits it hears of it.
    temporary.catch(() => undefined)
    seen.staged.set(next, temporary)
  }

  async function unstage(next: Prepared<T>): Promise<void> {
    const temporary = seen.staged.get(next)
    seen.staged.delete(next)
    await temporary?.then(dropTemporary).catch(() => undefined)
  }

  await load()
  return {
    path,
    backupPath: backup,
    get data() {
      return db.data?.value
    },
    get hash() {
      return db.data?.hash ?? null
    },
    get read() {
      return seen.read
    },
    load,
    backup: () => readStateFile(backup, codec),
    stage,
    unstage,
    prepare: (value) => prepare(path, value, codec),
    commit: (next) => {
      const saved = queue.then(() => save(next))
      queue = saved.catch(() => undefined)
      return saved
    },
    statMatches: async () => sameStamp(await stampAt(path), seen.stamp),
    hashOnDisk: () => hashOfFile(path),
    restamp: async () => {
      seen.stamp = await stampAt(path)
    },
    quarantine: async () => {
      const moved = await quarantine(path)
      seen.stamp = undefined
      seen.read = { kind: 'missing' }
      db.data = null
      return moved
    },
    keepCopy: (bytes, label) => keepCopy(path, bytes, label),
  }
}

/** Reads a state file without opening a store. Problem('newer-version') for a file of a newer program. */
export async function readStateFile<T>(path: string, codec: StateCodec<T>): Promise<StoreRead<T>> {
  const file = await readVerified(path)
  return file.kind === 'ok' ? readBytes(path, file.bytes, codec) : file
}

async function hashOfFile(path: string): Promise<string | null | undefined> {
  const file = await readVerified(path)
  if (file.kind === 'missing') return null
  return file.kind === 'ok' ? hashOf(file.bytes) : undefined
}

function readBytes<T>(path: string, bytes: Buffer, codec: StateCodec<T>): StoreRead<T> {
  const reading = codec.read(bytes)
  if (reading.kind === 'unreadable') return reading
  if (reading.kind === 'newer') throw newer(path, reading.reason)
  return { kind: 'ok', value: reading.state, warnings: reading.warnings, bytes, hash: hashOf(bytes) }
}

function prepare<T>(path: string, value: T, codec: StateCodec<T>): Prepared<T> {
  if (codec.prepare) {
    const { reading, bytes } = codec.prepare(value)
    if (reading.kind === 'ok' && bytes)
      return { kind: 'ok', value: reading.state, warnings: reading.warnings, bytes, hash: hashOf(bytes) }
    if (reading.kind === 'newer') throw newer(path, reading.reason)
    throw refused(path, reading.kind === 'unreadable' ? reading.reason : reading.kind)
  }
  const read = readBytes(path, codec.write(value), codec)
  if (read.kind === 'ok') {
    // Reading may put things into another order. What is saved is what the journal holds and would write again.
    const bytes = codec.write(read.value)
    return bytes.equals(read.bytes) ? read : { ...read, bytes, hash: hashOf(bytes) }
  }
  throw refused(path, read.kind === 'unreadable' ? read.reason : read.kind)
}

function newer(path: string, reason: string): Problem {
  return new Problem({
    code: 'newer-version',
    what: `${path} was written by a newer program: ${reason}.`,
    why: 'Writing it in the older form would lose what the newer program put there.',
    todo: 'Update autopilot, or go on with the program that wrote the file.',
  })
}

function refused(path: string, reason: string): Problem {
  return new Problem({
    code: 'storage',
    what: `The new state for ${path} was not saved: ${reason}.`,
    why: 'A state that could not be read again would end the session, so the state on disk was left as it was.',
    todo: 'Start autopilot again to resume from the last saved state, and report this with the session journal.',
  })
}
