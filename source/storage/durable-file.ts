import { randomBytes } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, link, lstat, open, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, isMissing, storageProblem } from './storage-problem.js'

// Files that survive a crash and a power cut (docs/durability.md).

/** Larger files are refused when read and when written: no state of a session comes near. */
export const maxFileBytes = 32 * 1024 * 1024

const keptCopies = 5
const windows = process.platform === 'win32'
const noFollow = windows ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK

/** What tells one write of a file from another without reading it. */
export interface FileStamp {
  ino: bigint
  size: bigint
  mtimeNs: bigint
}

export type FileRead =
  | { kind: 'missing' }
  | { kind: 'ok'; bytes: Buffer; stamp: FileStamp }
  /** It is there, but no file of ours: a link, a directory, a pipe, far too large. */
  | { kind: 'unreadable'; reason: string }

export type FileOpen =
  | { kind: 'missing' }
  | { kind: 'ok'; file: FileHandle; size: number; stamp: FileStamp }
  | { kind: 'unreadable'; reason: string }

/**
 * Opens a regular file for reading without following a link; the caller closes it. Failures of the file system are
 * thrown as Problems.
 */
export async function openVerified(path: string, limit = maxFileBytes): Promise<FileOpen> {
  try {
    const file = await open(path, constants.O_RDONLY | noFollow)
    const refused = async (reason: string): Promise<FileOpen> => {
      await file.close()
      return { kind: 'unreadable', reason }
    }
    try {
      const stats = await file.stat({ bigint: true })
      if (!stats.isFile()) return await refused('it is not a regular file')
      if (stats.size > BigInt(limit))
        return await refused(`it is larger than ${Math.floor(limit / 1024 / 1024)} MB`)
      return { kind: 'ok', file, size: Number(stats.size), stamp: stampOf(stats) }
    } catch (error) {
      await file.close().catch(() => undefined)
      throw error
    }
  } catch (error) {
    const code = errorCode(error)
    if (isMissing(error)) return { kind: 'missing' }
    if (code === 'ELOOP' || code === 'EMLINK') return { kind: 'unreadable', reason: 'it is a symbolic link' }
    // Opening a socket is ENXIO, a directory on Windows is EISDIR: neither says anything about the disk.
    if (code === 'ENXIO' || code === 'EISDIR')
      return { kind: 'unreadable', reason: 'it is not a regular file' }
    throw await storageProblem(error, { path, doing: 'reading' })
  }
}

/** Reads a regular file without following a link. Failures of the file system are thrown as Problems. */
export async function readVerified(path: string, limit = maxFileBytes): Promise<FileRead> {
  const opened = await openVerified(path, limit)
  if (opened.kind !== 'ok') return opened
  return closingAfter(path, opened.file, async () => {
    return { kind: 'ok', bytes: await opened.file.readFile(), stamp: opened.stamp }
  })
}

/** Reads from an open file and closes it, whatever happens. Failures of the file system are thrown as Problems. */
export async function closingAfter<Result>(
  path: string,
  file: FileHandle,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    try {
      return await read()
    } finally {
      await file.close()
    }
  } catch (error) {
    throw await storageProblem(error, { path, doing: 'reading' })
  }
}

/** Stamp of what is at `path` now, links not followed; undefined if nothing is there. */
export async function stampAt(path: string): Promise<FileStamp | undefined> {
  try {
    return stampOf(await lstat(path, { bigint: true }))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw await storageProblem(error, { path, doing: 'checking' })
  }
}

export function sameStamp(a: FileStamp | undefined, b: FileStamp | undefined): boolean {
  if (!a || !b) return a === b
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs
}

function stampOf(stats: BigIntStats): FileStamp {
  return { ino: stats.ino, size: stats.size, mtimeNs: stats.mtimeNs }
}

export interface WriteOptions {
  mode?: number
  /**
   * The bytes that are in the file now. With them given, the backup becomes this version of the file. Only a
   * process that has read or written the file itself may ask for it: a broken file must never replace a good backup.
   */
  previous?: Buffer
  /** Path of the backup; without it `<name>.bak`. */
  backup?: string
  /** The same bytes, which `writeTemporary` is putting beside the file or has put there. */
  temporary?: Promise<Temporary>
  /** Check before each rename, such as the fence of the lock; what it throws is thrown. */
  beforeRename?: () => Promise<void>
}

/** Where the version before the last save is kept, unless a format names another place. */
export function backupPath(path: string): string {
  return `${path}.bak`
}

/**
 * Replaces a file so that after any crash either the old or the new bytes are there, and the new ones for certain
 * once this resolves. Its directory must exist. On failure (a Problem) the old file is untouched and no temporary
 * file stays behind; only a failing sync of the directory can leave the new bytes in place without acknowledging them.
 */
export async function writeDurable(
  path: string,
  bytes: Buffer,
  options: WriteOptions = {},
): Promise<FileStamp> {
  const temporary = await (options.temporary ?? writeTemporary(path, bytes, options.mode))
  try {
    if (options.previous) {
      await options.beforeRename?.()
      await keepBackup(path, options.backup ?? backupPath(path), options.previous, options.mode ?? 0o600)
    }
    await options.beforeRename?.()
    await replace(temporary.path, path)
  } catch (error) {
    await unlink(temporary.path).catch(() => undefined)
    throw await storageProblem(error, { path, doing: 'saving' })
  }
  await syncDirectory(dirname(path))
  return temporary.stamp
}

/** A version of a file that is whole and synced under a name of its own. */
export interface Temporary {
  path: string
  stamp: FileStamp
}

/** The first half of `writeDurable`: nobody sees it. Problems as there; then nothing stays behind. */
export async function writeTemporary(path: string, bytes: Buffer, mode = 0o600): Promise<Temporary> {
  const temporary = temporaryPath(path)
  let syncing = false
  try {
    const file = await open(temporary, 'wx', mode)
    try {
      await file.writeFile(bytes)
      syncing = true
      await file.sync()
      syncing = false
      return { path: temporary, stamp: stampOf(await file.stat({ bigint: true })) }
    } finally {
      await file.close()
    }
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw await storageProblem(error, { path, doing: 'saving', syncing })
  }
}

/** Removes one that is not needed. What cannot be removed is tidied up when the session is opened next. */
export async function dropTemporary(temporary: Temporary): Promise<void> {
  await unlink(temporary.path).catch(() => undefined)
}

/** The backup is a second name of the old file, never a copy: a copy on a full disk would destroy the old backup. */
async function keepBackup(path: string, backup: string, previous: Buffer, mode: number): Promise<void> {
  const second = temporaryPath(path)
  try {
    await link(path, second)
  } catch (error) {
    if (isMissing(error)) return
    if (!linkUnsupported(error)) throw error
    const copy = await writeTemporary(path, previous, mode)
    try {
      await replace(copy.path, backup)
    } catch (failure) {
      await unlink(copy.path).catch(() => undefined)
      throw failure
    }
    return
  }
  try {
    await replace(second, backup)
  } finally {
    // Renaming a name onto another name of the same file does nothing and leaves the first one.
    await unlink(second).catch(() => undefined)
  }
}

/** True if the file system or its policy does not allow hard links, so that another way must be taken. */
export function linkUnsupported(error: unknown): boolean {
  const code = errorCode(error) ?? ''
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL'].includes(code)
}

const renameRetryMs = 60_000

async function replace(from: string, to: string): Promise<void> {
  const started = performance.now()
  for (;;) {
    try {
      return await rename(from, to)
    } catch (error) {
      // On Windows an open reader, such as a virus scanner, blocks a rename for a while.
      const blocked = windows && ['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error) ?? '')
      if (!blocked || performance.now() - started > renameRetryMs) throw error
      await sleep(50)
    }
  }
}

/** Makes created, renamed and removed names in a directory durable. Windows has no such call. */
export async function syncDirectory(path: string): Promise<void> {
  if (windows) return
  let syncing = false
  try {
    const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      syncing = true
      await directory.sync()
    } finally {
      await directory.close()
    }
  } catch (error) {
    // Some network file systems refuse to sync a directory; the rename itself is all they offer.
    if (syncing && ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error) ?? '')) return
    throw await storageProblem(error, { path, doing: 'syncing', syncing })
  }
}

const temporaryName = /^\..+\.\d+\.[0-9a-f]{12}\.tmp$/

/** Names of this process, the last ones of them. */
const given = new Set<string>()
const mostGiven = 256

/** Name under which a new version of `path` is written, unique to this process and call. */
export function temporaryPath(path: string): string {
  const name = `.${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`
  const [oldest] = given
  if (given.size >= mostGiven && oldest !== undefined) given.delete(oldest)
  given.add(name)
  return join(dirname(path), name)
}

/** True for a file that this process is just writing, under a name that nobody else could give it. */
export function isOwnTemporary(path: string): boolean {
  return given.has(basename(path))
}

/**
 * Removes temporary files that a killed writer left; where `of` is given, only those of the file of that name, since the
 * directory belongs to others too. Call it with the lock held. Returns how many there were.
 */
export async function removeOwnTemps(dir: string, of?: string): Promise<number> {
  const isOurs = (name: string) =>
    temporaryName.test(name) && (of === undefined || name.startsWith(`.${of}.`))
  const names = (await listDirectory(dir)).filter(isOurs)
  for (const name of names) await removeName(join(dir, name))
  return names.length
}

/**
 * Moves a file aside as `<name>.<label>-<time>-<rand>`, keeping the newest five of them. Returns the new path.
 * Directories, links and pipes are moved as they are.
 */
export async function quarantine(path: string, label = 'corrupt'): Promise<string> {
  const target = asidePath(path, label)
  try {
    await rename(path, target)
  } catch (error) {
    throw await storageProblem(error, { path, doing: 'moving aside' })
  }
  await syncDirectory(dirname(path))
  await pruneAside(path, label, basename(target))
  return target
}

/** Keeps the bytes of a file that is about to be replaced, under a name as in `quarantine`. Returns that path. */
export async function keepCopy(path: string, bytes: Buffer, label: string): Promise<string> {
  const target = asidePath(path, label)
  await writeDurable(target, bytes)
  await pruneAside(path, label, basename(target))
  return target
}

/** Name under which something is kept beside a file: `<name>.<label>-<time>-<rand>`. */
export function asidePath(path: string, label: string): string {
  const time = new Date().toISOString().replace(/[-:.]/g, '')
  return `${path}.${label}-${time}-${randomBytes(3).toString('hex')}`
}

async function pruneAside(path: string, label: string, newest: string): Promise<void> {
  const dir = dirname(path)
  const prefix = `${basename(path)}.${label}-`
  const older = (await listDirectory(dir)).filter((name) => name.startsWith(prefix) && name !== newest).sort()
  for (const name of older.slice(0, Math.max(0, older.length - keptCopies + 1)))
    await removeName(join(dir, name))
}

async function listDirectory(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (isMissing(error)) return []
    throw await storageProblem(error, { path: dir, doing: 'listing' })
  }
}

/** Removes a file or link; a directory of that name is not ours and stays. */
async function removeName(path: string): Promise<void> {
  try {
    if ((await lstat(path)).isDirectory()) return
    await unlink(path)
  } catch (error) {
    if (!isMissing(error)) throw await storageProblem(error, { path, doing: 'removing' })
  }
}
