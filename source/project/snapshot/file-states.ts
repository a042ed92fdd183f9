import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import {
  chmod,
  copyFile,
  cp,
  lstat,
  mkdir,
  open,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileAt, pathOfBytes } from './path-bytes.js'
import { readPlain } from './plain-read.js'
import type { PrivateRepository } from './private-repository.js'
import { largestKeptBytes, unstoredId } from './work-tree.js'

// Single files of the work tree: in which state they are, how they make way, how they get their bytes back.

/** A refusal with its reason, in words for a person. */
export class Refusal extends Error {}

/** State of a path as trees have it, `mode id`; undefined where no file and no link is. */
export async function stateAt(repo: PrivateRepository, path: string): Promise<string | undefined> {
  const file = fileAt(repo.place.root, path)
  const stats = await lstat(file, { bigint: true }).catch(() => undefined)
  if (stats === undefined || !(stats.isFile() || stats.isSymbolicLink())) return undefined
  const unstored = `${modeOf(stats)} ${unstoredId(stats, repo.idBytes)}`
  if (stats.isSymbolicLink())
    return `120000 ${blobId(repo, Buffer.from(await readlink(file, { encoding: 'buffer' })))}`
  if (stats.size > BigInt(largestKeptBytes)) return unstored
  const bytes = await readPlain(file, constants.O_NOFOLLOW)
  return bytes === undefined ? unstored : `${modeOf(stats)} ${blobId(repo, bytes)}`
}

/** True if a path is in a state; one whose content is not kept counts by size and times. */
export async function isInState(
  repo: PrivateRepository,
  path: string,
  state: string | undefined,
): Promise<boolean> {
  if ((await stateAt(repo, path)) === state) return true
  const stats = await lstat(fileAt(repo.place.root, path), { bigint: true }).catch(() => undefined)
  return stats !== undefined && state === `${modeOf(stats)} ${unstoredId(stats, repo.idBytes)}`
}

function modeOf(stats: BigIntStats): string {
  if (stats.isSymbolicLink()) return '120000'
  return (stats.mode & 0o100n) !== 0n ? '100755' : '100644'
}

function blobId(repo: PrivateRepository, bytes: Buffer): string {
  const hash = createHash(repo.idBytes === 32 ? 'sha256' : 'sha1')
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

/**
 * Moves what is at `path` into the directory `keep`, under its own name. Nothing is overwritten there: what was kept
 * before a crash stays.
 */
export async function moveAway(path: string | Buffer, keep: string): Promise<string> {
  const place = await placeFor(path, keep)
  try {
    await rename(path, place)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    await copyAny(path, place)
    await rm(path, { recursive: true, force: true })
  }
  return place
}

/** Copies what is at `path` into `keep`, once. */
export async function copyAway(path: string | Buffer, keep: string): Promise<string> {
  const place = await placeFor(path, keep)
  if (!(await lstat(place).catch(() => undefined))) await copyAny(path, place)
  return place
}

async function placeFor(path: string | Buffer, keep: string): Promise<string> {
  await mkdir(keep, { recursive: true, mode: 0o700 })
  const raw = Buffer.from(path).toString('latin1')
  const name = pathOfBytes(raw.slice(raw.lastIndexOf('/') + 1)).replace(/[\udc80-\udcff]/g, '_')
  return join(keep, name)
}

async function copyAny(path: string | Buffer, place: string): Promise<void> {
  const stats = await lstat(path)
  if (stats.isSymbolicLink()) await symlink(await readlink(path), place)
  else if (stats.isFile()) await copyFile(path, place, constants.COPYFILE_EXCL)
  else if (stats.isDirectory()) {
    await cp(String(path), place, { recursive: true, errorOnExist: false, verbatimSymlinks: true })
  }
}

export interface Content {
  bytes: Buffer
  /** As in trees (`120000` for a link), or permissions in octal such as `600`. */
  mode: string
}

/** Puts a file or link where `path` is, whole at each moment. Its directory is made; no link on the way is followed. */
export async function placeContent(root: string, path: string | Buffer, content: Content): Promise<void> {
  await ensureRealParents(root, path)
  const old = await lstat(path).catch(() => undefined)
  if (old?.isDirectory())
    await rmdir(path).catch(() => {
      throw new Refusal('a directory with other files is in its place')
    })
  const temporary = Buffer.concat([Buffer.from(path), Buffer.from('.autopilot-back')])
  await rm(temporary, { force: true })
  if (content.mode === '120000') await symlink(content.bytes, temporary)
  else {
    const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      await file.writeFile(content.bytes)
    } finally {
      await file.close()
    }
    await chmod(temporary, permissions(content.mode, old?.isFile() ? old.mode : undefined))
  }
  await rename(temporary, path).catch(async (error: unknown) => {
    await unlink(temporary).catch(() => undefined)
    throw error
  })
}

/** Git knows only whether a file can be executed; the rest stays as it was, or is what a new file gets. */
function permissions(mode: string, old: number | undefined): number {
  if (mode.length <= 4) return Number.parseInt(mode, 8)
  const base = old === undefined ? 0o666 & ~process.umask() : old & 0o666
  return mode === '100755' ? base | ((base & 0o444) >> 2) : base
}

async function ensureRealParents(root: string, path: string | Buffer): Promise<void> {
  const text = Buffer.from(path).toString('latin1')
  const start = Buffer.from(`${root}/`).toString('latin1')
  if (!text.startsWith(start)) {
    await mkdir(dirname(String(path)), { recursive: true, mode: 0o700 })
    return
  }
  for (let at = text.indexOf('/', start.length); at !== -1; at = text.indexOf('/', at + 1)) {
    const directory = Buffer.from(text.slice(0, at), 'latin1')
    const stats = await lstat(directory).catch(() => undefined)
    if (stats === undefined) await mkdir(directory)
    else if (!stats.isDirectory())
      throw new Refusal(`${pathOfBytes(text.slice(start.length, at))} is no directory any more`)
  }
}

/** Removes directories that were left empty, up to the root. */
export async function removeEmptyParents(root: string, path: string): Promise<void> {
  for (let directory = dirname(path); directory !== '.'; directory = dirname(directory)) {
    try {
      await rmdir(fileAt(root, directory))
    } catch {
      // Something is still in it.
      return
    }
  }
}
