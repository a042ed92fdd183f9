import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'

// Hashes of files that can be executed, by plain reads, remembered as long as nothing of the file changes.

/** Larger files than any program are vouched for by their size and times. */
const largest = 1024 * 1024 * 1024

const remembered = new Map<string, { signature: string; hash: string }>()
const mostRemembered = 5_000

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
  // The time of the last change cannot be set by anybody, so a remembered hash is as good as a new one.
  const { dev, ino, size, mode, mtimeNs, ctimeNs } = stats
  const signature = [dev, ino, size, mode, mtimeNs, ctimeNs].join(' ')
  const known = remembered.get(real)
  if (known?.signature === signature) return { real, hash: known.hash }
  const hash = await contentHash(real, Number(mode) & 0o111 ? 'x' : '-')
  if (remembered.size >= mostRemembered) remembered.clear()
  remembered.set(real, { signature, hash })
  return { real, hash }
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
    for await (const bytes of file.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024 }))
      hash.update(bytes)
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}
