import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { networkWarning } from '../storage/lock.js'

// Hashes of files by plain reads, remembered as long as nothing of the file changes.

/** Larger files than any program are vouched for by their size and times. */
const largest = 1024 * 1024 * 1024

const wholeBytes = 256 * 1024

const remembered = new Map<string, { signature: string; hash: string }>()
const mostRemembered = 5_000
/** Of a file that was just written a second write may have the same time. */
const settledNs = 1_000_000_000n
const networked = new Map<bigint, boolean>()

/**
 * The hash of a `kind` that `read` gives for a file, which is not read again while its stamps are the same: the time of the last change
 * cannot be set by anybody, so a remembered hash is as good as a new one. Not so for what has just changed, and where
 * another machine keeps the times. `path` has no link in it.
 */
export async function rememberedHash(
  kind: 'program' | 'content',
  path: string,
  { dev, ino, size, mode, mtimeNs, ctimeNs }: BigIntStats,
  read: () => Promise<string>,
): Promise<string> {
  const signature = [dev, ino, size, mode, mtimeNs, ctimeNs].join(' ')
  const key = `${kind} ${path}`
  const known = remembered.get(key)
  if (known?.signature === signature) return known.hash
  const isSettled = BigInt(Date.now()) * 1_000_000n - ctimeNs > settledNs
  const hash = await read()
  if (!isSettled || (await isOnNetwork(path, dev))) return hash
  if (remembered.size >= mostRemembered) remembered.clear()
  remembered.set(key, { signature, hash })
  return hash
}

async function isOnNetwork(path: string, dev: bigint): Promise<boolean> {
  const known = networked.get(dev) ?? (await networkWarning(dirname(path))) !== undefined
  networked.set(dev, known)
  return known
}

export interface HashedFile {
  /** All links followed. */
  real: string
  /** sha256 of real path, executable bits and content. */
  hash: string
}

/** Undefined where there is no regular file. One that cannot be read has a hash that says so. Executes nothing. */
export async function hashFile(path: string): Promise<HashedFile | undefined> {
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined) return undefined
  const stats = await lstat(real, { bigint: true }).catch(() => undefined)
  if (!stats?.isFile()) return undefined
  const bits = Number(stats.mode) & 0o111 ? 'x' : '-'
  return { real, hash: await rememberedHash('program', real, stats, () => contentHash(real, bits)) }
}

async function contentHash(real: string, bits: string): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined)
  // What cannot be read cannot be vouched for; its name and its being there still count.
  if (!file) return hash.update(`unreadable ${real}`).digest('hex')
  try {
    const stats = await file.stat()
    if (!stats.isFile() || stats.size > largest)
      return hash.update(`large ${real} ${stats.size} ${stats.mtimeMs}`).digest('hex')
    hash.update(`${real}\0${bits}\0`)
    // What a stream sets aside is for large ones.
    if (stats.size <= wholeBytes) return hash.update(await file.readFile()).digest('hex')
    for await (const bytes of file.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024 }))
      hash.update(bytes)
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}
