import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'

// Reading what others may have put there: regular files only, opened without waiting, so that a pipe in the place of a file
// stops nobody.

const readableAtOnce = 256 * 1024
const largest = 64 * 1024 * 1024
// One opened without blocking is looked at before it is read.
const calmly = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Bytes of a regular file, links followed; undefined where there is none, it cannot be read or is larger than 64 MB. A
 * small one is read in one go: a handful of them costs less than one way through the pool of threads.
 */
export async function readPlain(path: string | Buffer, flags = 0): Promise<Buffer | undefined> {
  let file: number
  try {
    file = openSync(path, calmly | flags)
  } catch {
    // Missing, a link where none is wanted, or not ours to read: all the same to callers, who look at its name themselves.
    return undefined
  }
  try {
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size > largest) return undefined
    if (stats.size <= readableAtOnce) return readWhole(file, stats.size)
  } catch {
    return undefined
  } finally {
    closeSync(file)
  }
  return await readLarge(path, flags)
}

function readWhole(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let filled = 0
  while (filled < size) {
    const read = readSync(file, bytes, filled, size - filled, filled)
    if (read === 0) break
    filled += read
  }
  return bytes.subarray(0, filled)
}

async function readLarge(path: string | Buffer, flags: number): Promise<Buffer | undefined> {
  try {
    const file = await open(path, calmly | flags)
    try {
      return (await file.stat()).isFile() ? await file.readFile() : undefined
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}

/** The same as text; empty where there is nothing. */
export async function readPlainText(path: string): Promise<string> {
  return (await readPlain(path))?.toString('utf8') ?? ''
}
