import { randomBytes } from 'node:crypto'
import { lstat, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncDirectory, temporaryName, writeDurable } from './durable-file.js'
import { isMissing, storageProblem } from './storage-problem.js'

// What lies beside a file of ours: what killed writers left, and what is kept of it (docs/durability.md).

const keptCopies = 5

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
