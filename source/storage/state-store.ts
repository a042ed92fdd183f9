import { dirname } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { Problem } from '../problem.js'
import { keepCopy, quarantine } from './beside-file.js'
import { checkContained } from './contained-path.js'
import {
  backupPath,
  dropTemporary,
  type FileStamp,
  openTemporary,
  putInPlace,
  type Readers,
  readVerified,
  type Staged,
  sameStamp,
  stageFile,
  stampAt,
  syncDirectory,
  type WriteOptions,
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
  /** Who may read it where it is made anew. */
  readers?: Readers
}

/** The next version of the file while it is not in its place. */
export interface Staging<T> {
  /**
   * Begins to put the bytes of a state on the disk beside the file, while its record is written: nothing of it can be seen
   * before it is put in place. Resolves when they are on their way; how that ends is said by `put`.
   */
  write(next: Prepared<T>): Promise<void>
  /** Nothing of it stays. */
  drop(): Promise<void>
}

export interface StateStore<T> {
  readonly path: string
  readonly backupPath: string
  /** Who may read the file where it is made anew. */
  readonly readers: Readers
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
  /** True if the file, as it was read or written last, has these bytes already. */
  holds(next: Prepared<T>): boolean
  /** Begins with a file for what will be put in place next. One `write` or `drop` of it follows. */
  begin(): Promise<Staging<T>>
  /**
   * Saves durably, and only then it becomes `data`. One at a time, in the order of the calls. What was staged is used up, also
   * by a commit that fails.
   */
  commit(next: Prepared<T>): Promise<void>
  /**
   * The same, but a power cut can bring the version before back until `durable` resolves: for what the journal holds. Only
   * this one version: nothing is put in place before the one before it is durable.
   */
  put(next: Prepared<T>): Promise<void>
  /** Resolves when what was put in place is durable. Problems as `commit`; the next call then tries it again. */
  durable(): Promise<void>
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
  staged: WeakMap<Prepared<T>, Promise<Staged>>
}

/** What does not depend on what is written. */
function writeOptions<T>(options: StoreOptions<T>, seen: Seen<T>): WriteOptions {
  return {
    // Only a file that this process has read well or written itself may become the backup.
    ...(seen.read.kind === 'ok' ? { previous: { bytes: seen.read.bytes, stamp: seen.stamp } } : {}),
    ...(options.backup === undefined ? {} : { backup: options.backup }),
    ...(options.beforeRename ? { beforeRename: options.beforeRename } : {}),
    ...(options.readers ? { readers: options.readers } : {}),
  }
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
      const staged = seen.staged.get(next)
      seen.staged.delete(next)
      const how = writeOptions(options, seen)
      seen.stamp = await putInPlace(path, next.bytes, staged === undefined ? how : { ...how, staged })
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

  const names = durableNames(dirname(path))

  async function save(next: Prepared<T>): Promise<void> {
    await names.durable()
    await checkContained(path, root)
    await db.adapter.write(next)
    names.changed()
    seen.read = next
    db.data = next
  }

  function put(next: Prepared<T>): Promise<void> {
    const saved = queue.then(() => save(next))
    queue = saved.catch(() => undefined)
    return saved
  }

  async function begin(): Promise<Staging<T>> {
    await checkContained(path, root)
    const temporary = openTemporary(path, options.readers)
    let staged: Promise<Staged> | undefined
    return {
      async write(next) {
        await temporary.file.catch(() => undefined)
        staged = stageFile(path, next.bytes, writeOptions(options, seen), temporary)
        // Whoever commits it hears of it.
        staged.catch(() => undefined)
        seen.staged.set(next, staged)
      },
      async drop() {
        await staged?.catch(() => undefined)
        // What was written closes it.
        if (staged === undefined) await temporary.file.then((file) => file.close()).catch(() => undefined)
        await dropTemporary(temporary.path)
      },
    }
  }

  await load()
  return {
    path,
    backupPath: backup,
    readers: options.readers ?? 'own',
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
    holds: ({ bytes }) => seen.read.kind === 'ok' && seen.read.bytes.equals(bytes),
    begin,
    prepare: (value) => prepare(path, value, codec, db.data?.value),
    put,
    durable: names.durable,
    commit: async (next) => {
      await put(next)
      await names.durable()
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

/** Follows whether the names in a directory are on the disk as they are now. */
function durableNames(dir: string): { changed(): void; durable(): Promise<void> } {
  let isOnDisk = true
  let syncing: Promise<void> | undefined

  async function sync(): Promise<void> {
    try {
      await syncDirectory(dir)
      isOnDisk = true
    } finally {
      syncing = undefined
    }
  }

  const durable = async () => {
    if (isOnDisk) return
    syncing ??= sync()
    await syncing
  }
  return {
    changed() {
      isOnDisk = false
      // Whoever waits for it hears of it.
      durable().catch(() => undefined)
    },
    durable,
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

function prepare<T>(path: string, value: T, codec: StateCodec<T>, before: T | undefined): Prepared<T> {
  if (codec.prepare) {
    const { reading, bytes } = codec.prepare(value, before)
    if (reading.kind === 'ok' && bytes)
      return hashedLater({ kind: 'ok', value: reading.state, warnings: reading.warnings, bytes })
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

/** With the hash of its bytes once somebody asks for it, so that they can be on their way to the disk before. */
function hashedLater<T>(content: Omit<Prepared<T>, 'hash'>): Prepared<T> {
  let known: string | undefined
  return {
    ...content,
    get hash() {
      known ??= hashOf(content.bytes)
      return known
    },
  }
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
