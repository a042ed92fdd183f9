import { randomUUID } from 'node:crypto'
import { type BigIntStats, constants, fstatSync, lstatSync } from 'node:fs'
import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, isMissing, storageProblem } from './storage-problem.js'

// Files that survive a crash and a power cut (docs/durability.md).

/** Larger files are refused when read and when written: no state of a session comes near. */
export const maxFileBytes = 32 * 1024 * 1024

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
      const stats = fstatSync(file.fd, { bigint: true })
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
    return { kind: 'ok', bytes: await readAll(opened.file, opened.size), stamp: opened.stamp }
  })
}

/** Up to the size that it was opened with; less of a file that was cut meanwhile. `readFile` would ask for the size again. */
async function readAll(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size)
  let read = 0
  while (read < size) {
    const { bytesRead } = await file.read(bytes, read, size - read, read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
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

/**
 * Stamp of what is at `path` now, links not followed; undefined if nothing is there. Looked up at once: on its way through
 * the pool a look costs ten times the look, and every record has several.
 */
export async function stampAt(path: string): Promise<FileStamp | undefined> {
  try {
    return stampOf(lstatSync(path, { bigint: true }))
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
  /**
   * Who may read the file: `own` (without it) the person alone, for records of the program; `shared` who may read the one
   * that is replaced, and of a new one whoever the umask allows: for files of a project that people commit.
   */
  readers?: Readers
  /** Of the version before, which becomes the backup. */
  previous?: Previous
  /** Path of the backup; without it `<name>.bak`. */
  backup?: string
  /** What `stageFile` is putting beside the file, or has put there. */
  staged?: Promise<Staged>
  /** Check before each rename, such as the fence of the lock; what it throws is thrown. */
  beforeRename?: () => Promise<void>
}

export type Readers = 'own' | 'shared'

/**
 * The version that is in the file now. Only a process that has read or written the file itself may give it: a broken file
 * must never replace a good backup.
 */
export interface Previous {
  bytes: Buffer
  /** What is at its path is taken for it only with this stamp; undefined if it has not been looked at. */
  stamp: FileStamp | undefined
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
  const stamp = await putInPlace(path, bytes, options)
  await syncDirectory(dirname(path))
  return stamp
}

/**
 * The same up to the sync of its directory: everybody sees the new bytes, and a power cut can still bring the old ones back.
 * For what can be made again from what is durable already.
 */
export async function putInPlace(
  path: string,
  bytes: Buffer,
  options: WriteOptions = {},
): Promise<FileStamp> {
  const staged = await (options.staged ?? stageFile(path, bytes, options))
  try {
    await options.beforeRename?.()
    await replace(staged.path, path)
  } catch (error) {
    await dropTemporary(staged.path)
    throw await storageProblem(error, { path, doing: 'saving' })
  }
  return staged.stamp
}

/** A version of a file that is whole and synced under a name of its own. */
export interface Staged {
  path: string
  stamp: FileStamp
}

/** A file for the next version of another one, which is being made, or is there and empty. */
export interface Temporary {
  path: string
  file: Promise<FileHandle>
}

/**
 * The first half of `putInPlace`: the new bytes lie beside the file, and the backup is the version that is in it now. Problems
 * as there; then no temporary file stays behind.
 *
 * @param temporary is used up
 */
export async function stageFile(
  path: string,
  bytes: Buffer,
  options: WriteOptions = {},
  temporary = openTemporary(path, options.readers),
): Promise<Staged> {
  const [written, kept] = await Promise.allSettled([
    writeTemporary(path, bytes, temporary),
    options.previous && keepBackup(path, options.previous, options),
  ])
  if (written.status === 'rejected') throw written.reason
  if (kept.status === 'fulfilled') return written.value
  await dropTemporary(temporary.path)
  throw await storageProblem(kept.reason, { path, doing: 'saving' })
}

/** Makes the file that `stageFile` will write, so that it is there when the bytes are. */
export function openTemporary(path: string, readers: Readers = 'own'): Temporary {
  const temporary = temporaryPath(path)
  const file = readers === 'own' ? open(temporary, 'wx', 0o600) : openLike(temporary, permissionsAt(path))
  // Whoever writes it hears of it.
  file.catch(() => undefined)
  return { path: temporary, file }
}

/** Opens a new file with the permissions of another one, which the umask does not touch; without one as the umask says. */
async function openLike(path: string, permissions: number | undefined): Promise<FileHandle> {
  const file = await open(path, 'wx', permissions ?? 0o666)
  // Not every file system knows permissions.
  if (permissions !== undefined && (fstatSync(file.fd).mode & 0o777) !== permissions)
    await file.chmod(permissions).catch(() => undefined)
  return file
}

/** Permissions of a regular file; undefined where none is there. */
function permissionsAt(path: string): number | undefined {
  try {
    const stats = lstatSync(path)
    return stats.isFile() && !windows ? stats.mode & 0o777 : undefined
  } catch {
    // Whoever writes it hears of what is wrong.
    return undefined
  }
}

/** Removes one that is not needed. What cannot be removed is tidied up when the session is opened next. */
export async function dropTemporary(path: string): Promise<void> {
  await unlink(path).catch(() => undefined)
}

async function writeTemporary(path: string, bytes: Buffer, temporary: Temporary): Promise<Staged> {
  let syncing = false
  try {
    const file = await temporary.file
    let closing: Promise<void> | undefined
    try {
      await file.writeFile(bytes)
      syncing = true
      await file.sync()
      syncing = false
      return { path: temporary.path, stamp: stampOf(fstatSync(file.fd, { bigint: true })) }
    } finally {
      closing = file.close()
      // Nothing of a synced file can be lost by that any more. Only Windows does not rename what is open.
      if (windows) await closing
      else closing.catch(() => undefined)
    }
  } catch (error) {
    await dropTemporary(temporary.path)
    throw await storageProblem(error, { path, doing: 'saving', syncing })
  }
}

/** The backup is a second name of the old file, never a copy: a copy on a full disk would destroy the old backup. */
async function keepBackup(
  path: string,
  { bytes, stamp }: Previous,
  { backup = backupPath(path), readers, beforeRename }: WriteOptions,
): Promise<void> {
  const there = await stampAt(path)
  if (there === undefined || (stamp && !sameStamp(there, stamp))) return
  // Renaming a name onto another name of the same file does nothing and would leave the first one.
  if ((await stampAt(backup))?.ino === there.ino) return
  const second = await secondName(path, bytes, readers)
  if (second === undefined) return
  try {
    await beforeRename?.()
    await replace(second, backup)
  } catch (error) {
    await dropTemporary(second)
    throw error
  }
}

/** Undefined if the file is gone. */
async function secondName(
  path: string,
  bytes: Buffer,
  readers: Readers | undefined,
): Promise<string | undefined> {
  const second = temporaryPath(path)
  try {
    await link(path, second)
    return second
  } catch (error) {
    if (isMissing(error)) return undefined
    if (!linkUnsupported(error)) throw error
    const copy = await writeTemporary(path, bytes, openTemporary(path, readers))
    return copy.path
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

/** What `temporaryPath` gives. */
export const temporaryName = /^\..+\.\d+\.[0-9a-f]{12}\.tmp$/

/** Names of this process, the last ones of them. */
const given = new Set<string>()
const mostGiven = 256

/** Name under which a new version of `path` is written, unique to this process and call. */
export function temporaryPath(path: string): string {
  const name = `.${basename(path)}.${process.pid}.${randomUUID().slice(-12)}.tmp`
  const [oldest] = given
  if (given.size >= mostGiven && oldest !== undefined) given.delete(oldest)
  given.add(name)
  return join(dirname(path), name)
}

/** True for a file that this process is just writing, under a name that nobody else could give it. */
export function isOwnTemporary(path: string): boolean {
  return given.has(basename(path))
}
