import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { link, lstat, open, rm } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { makeDirectory } from '../make-directory.js'
import { Problem } from '../problem.js'
import type { SealKey } from './hmac.js'

// The one key of a user, from which the keys of seals are derived (docs/evidence.md, "Seal").

const keyBytes = 32

/** Its name in the state directory. */
export const userKeyName = 'key'

/**
 * The key in `directory` (absolute, the user's state directory), made at the first call; of several programs at once
 * all get the same one. Throws a Problem ('trust') where it is damaged, no regular file, or open to others.
 */
export async function userKey(directory: string): Promise<SealKey> {
  await makeDirectory(directory)
  await refuseOthers(directory)
  const path = join(directory, userKeyName)
  return (await readKey(path)) ?? (await makeKey(directory, path))
}

/** The same without making one: undefined where there is none yet. */
export async function existingUserKey(directory: string): Promise<SealKey | undefined> {
  return await readKey(join(directory, userKeyName))
}

async function readKey(path: string): Promise<SealKey | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      throw unfit(path, error.code === 'ELOOP' ? 'is a link' : `cannot be read (${error.code})`)
    },
  )
  if (!file) return undefined
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw unfit(path, 'is not a regular file')
    refuse(path, stats, 0o077)
    if (stats.size !== keyBytes) throw unfit(path, `has ${stats.size} bytes instead of ${keyBytes}`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

async function makeKey(directory: string, path: string): Promise<SealKey> {
  const draft = join(directory, `.${userKeyName}-${randomBytes(8).toString('hex')}`)
  const key = randomBytes(keyBytes)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(key)
      await file.sync()
    } finally {
      await file.close()
    }
    // A link never replaces, so the key that is there first stays, and nobody sees half of one.
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const other = await readKey(path)
    if (other) return other
    throw error
  } finally {
    await rm(draft, { force: true })
  }
  await syncDirectory(directory)
  return key
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

async function refuseOthers(directory: string): Promise<void> {
  // A group of one's own may write to directories on many systems; the file itself is checked harder.
  refuse(directory, await lstat(directory), 0o002)
}

function refuse(path: string, { uid, mode }: { uid: number; mode: number }, forbidden: number): void {
  if (process.platform === 'win32') return
  if (uid !== userInfo().uid) throw unfit(path, 'belongs to another user')
  if (mode & forbidden) throw unfit(path, 'is open to other users')
}

function unfit(path: string, reason: string): Problem {
  return new Problem({
    code: 'trust',
    what: `${path} ${reason}.`,
    why: 'With this key autopilot seals its own records, so that nobody else can write them unnoticed.',
    todo: 'Look at it, then correct it (chmod 600, your own user). Without it every session is asked about once.',
  })
}
