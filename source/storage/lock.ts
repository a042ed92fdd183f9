import { randomUUID } from 'node:crypto'
import { link, open, statfs, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../problem.js'
import {
  type FileStamp,
  linkUnsupported,
  readVerified,
  sameStamp,
  stampAt,
  syncDirectory,
  temporaryPath,
} from './durable-file.js'
import { hashOf } from './json-text.js'
import {
  describeOwner,
  type Liveness,
  type LockOwner,
  livenessOf,
  lockOwnerSchema,
  ownIdentity,
} from './lock-owner.js'
import { errorCode, isMissing, storageProblem } from './storage-problem.js'

// One writer per directory: docs/durability.md, "The lock". A lock is proof by process identity, never by time.

export { describeOwner, type Liveness, type LockOwner } from './lock-owner.js'

export interface Lock {
  readonly lockId: string
  /** Grows with every takeover of a lock that was left behind. */
  readonly epoch: number
  readonly owner: LockOwner
  /** The fence: throws Problem('fenced') if this lock is not ours any more. Call it before each write and effect. */
  check(): Promise<void>
  /** Looks twice a second whether the lock is still ours, and tells once when it is not. Returns how to stop. */
  watch(lost: (problem: Problem) => void): () => void
  /** Removes the lock if it is still ours. May be called twice. */
  release(): Promise<void>
}

/** A lock file as it was found. `lockId` is what a person types to force it; made from the bytes if unreadable. */
export interface FoundLock {
  lockId: string
  owner: LockOwner | undefined
  liveness: Liveness
}

export type Acquired =
  | { kind: 'held'; lock: Lock; tookOver?: LockOwner | undefined }
  | ({ kind: 'open'; liveness: 'alive' | 'unknown' } & Omit<FoundLock, 'liveness'>)

export interface AcquireOptions {
  /** Version of the program, for the people who read the lock. */
  version: string
  /** Force: take the lock with exactly this id, even from a live process, which is then fenced off. */
  takeover?: string
  name?: string
}

const attempts = 100
const watchMs = 400
const mostBytes = 64 * 1024
const settledNs = 1_000_000_000n

/** Takes the lock of a directory, or says who has it. Locks of dead processes are taken over. */
export async function acquireLock(dir: string, options: AcquireOptions): Promise<Acquired> {
  const path = join(dir, options.name ?? 'lock.json')
  const identity = await ownIdentity()
  const lockId = randomUUID()
  let epoch = 1
  let tookOver: LockOwner | undefined
  for (let attempt = 0; attempt < attempts; attempt++) {
    const owner = {
      lockId,
      epoch,
      ...identity,
      version: options.version,
      acquiredAt: new Date().toISOString(),
    }
    if (await publish(path, owner)) return { kind: 'held', lock: heldLock(path, owner), tookOver }
    const found = await findLock(path)
    if (!found) continue
    const forced = options.takeover !== undefined && options.takeover === found.lockId
    if (found.liveness !== 'dead' && !forced) {
      return { kind: 'open', lockId: found.lockId, owner: found.owner, liveness: found.liveness }
    }
    if (await removeDead(path, found.lockId, `${path}.break`, owner)) {
      tookOver = found.owner
      epoch = (found.owner?.epoch ?? 0) + 1
    } else {
      await sleep(5 + Math.random() * 20)
    }
  }
  const found = await findLock(path)
  return { kind: 'open', lockId: found?.lockId ?? '', owner: found?.owner, liveness: 'unknown' }
}

/** Who holds a directory, without writing anything; undefined if nobody does. */
export async function readOwner(
  dir: string,
  name = 'lock.json',
): Promise<(FoundLock & { live: boolean }) | undefined> {
  const found = await findLock(join(dir, name))
  return found && { ...found, live: found.liveness !== 'dead' }
}

/** The message of a second instance, and of a forced unlock that was given another id. */
export function openElsewhere(
  session: string,
  found: { owner: LockOwner | undefined; lockId: string },
): Problem {
  const who = found.owner ? describeOwner(found.owner) : 'an unknown process (its lock file cannot be read)'
  return new Problem({
    code: 'locked',
    what: `Session ${session} is open in ${who}.`,
    why: 'Two writers would destroy each other, so only one process can drive a session.',
    todo: `Close it there, or look at it with "autopilot status". Only if that process is gone for certain: open the session again, choose "take it over" and type the lock id ${found.lockId}.`,
  })
}

/** A warning if locks cannot be relied on because the directory is on a network file system. */
export async function networkWarning(dir: string): Promise<string | undefined> {
  const names: Record<number, string> = {
    26985: 'NFS',
    20859: 'SMB',
    4283649346: 'SMB',
    4266872130: 'SMB',
    16914839: '9p',
    1702057286: 'FUSE',
  }
  try {
    const name = names[(await statfs(dir)).type >>> 0]
    return (
      name &&
      `${dir} is on ${name}, where locks and saves are less safe: open this session on one machine only.`
    )
  } catch {
    return undefined
  }
}

/** Puts `owner` at `path` in one step, complete and durable; false if something is there. */
async function publish(path: string, owner: LockOwner): Promise<boolean> {
  const text = `${JSON.stringify(owner)}\n`
  const candidate = temporaryPath(path)
  try {
    await writeNew(candidate, text)
  } catch (error) {
    throw await storageProblem(error, { path, doing: 'locking' })
  }
  try {
    await link(candidate, path)
  } catch (error) {
    // Missing: another holder tidied the directory in between, and the next attempt finds its lock.
    if (errorCode(error) === 'EEXIST' || isMissing(error)) return false
    if (!linkUnsupported(error)) throw await storageProblem(error, { path, doing: 'locking' })
    return await publishWithoutLink(path, text)
  } finally {
    await unlink(candidate).catch(() => undefined)
  }
  await syncDirectory(join(path, '..'))
  return true
}

async function publishWithoutLink(path: string, text: string): Promise<boolean> {
  try {
    await writeNew(path, text)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw await storageProblem(error, { path, doing: 'locking' })
  }
  await syncDirectory(join(path, '..'))
  return true
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } catch (error) {
    // Half a lock would keep everybody out.
    await unlink(path).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
}

async function findLock(path: string): Promise<FoundLock | undefined> {
  const file = await readVerified(path, mostBytes)
  if (file.kind === 'missing') return undefined
  if (file.kind === 'unreadable') return { lockId: 'unreadable', owner: undefined, liveness: 'unknown' }
  const owner = parseOwner(file.bytes)
  const lockId = owner?.lockId ?? `unreadable-${hashOf(file.bytes).slice(0, 12)}`
  return { lockId, owner, liveness: await livenessOf(owner) }
}

function parseOwner(bytes: Buffer): LockOwner | undefined {
  try {
    return lockOwnerSchema.safeParse(JSON.parse(bytes.toString('utf8'))).data
  } catch {
    return undefined
  }
}

/**
 * Removes the lock (or marker) file with exactly this id. The right to do so is itself a lock, `marker`, that only one
 * process can hold; if its holder died, that marker is removed in the same way under a marker named after the dead
 * one's id. Ids never come back, so that whoever holds a marker and still sees the id may remove it.
 */
async function removeDead(path: string, lockId: string, marker: string, self: LockOwner): Promise<boolean> {
  if (!(await publish(marker, { ...self, lockId: randomUUID() }))) {
    const breaker = await findLock(marker)
    if (breaker?.liveness === 'dead') {
      await removeDead(marker, breaker.lockId, `${path}.break-${breaker.lockId}`, self)
    }
    return false
  }
  try {
    const found = await findLock(path)
    if (found?.lockId !== lockId) return false
    await unlink(path)
    return true
  } catch (error) {
    throw await storageProblem(error, { path, doing: 'taking over' })
  } finally {
    await unlink(marker).catch(() => undefined)
  }
}

function heldLock(path: string, owner: LockOwner): Lock {
  let released = false

  /** The file that was ours when it was read last: as long as it is the very same one it need not be read again. */
  let known: FileStamp | undefined
  let isOnNetwork: Promise<boolean> | undefined

  async function check(): Promise<void> {
    if (!released && known && sameStamp(known, await stampAt(path))) return
    if (released) throw fenced(path, undefined)
    known = undefined
    const file = await readVerified(path, mostBytes)
    const found = file.kind === 'ok' ? parseOwner(file.bytes) : undefined
    // Where there is none, somebody may have taken the session, worked on it and let go of it meanwhile.
    if (file.kind === 'missing') throw fenced(path, undefined)
    // Whoever takes a lock leaves a whole one with an id of its own: what is none is nobody's, and the session ours still.
    if (file.kind !== 'ok' || found === undefined) return
    if (found.lockId !== owner.lockId) throw fenced(path, found)
    isOnNetwork ??= networkWarning(dirname(path)).then((warning) => warning !== undefined)
    // Of a file that was just written a second write may have the same time; over a network, times may be old ones.
    const isOld = BigInt(Date.now()) * 1_000_000n - file.stamp.mtimeNs > settledNs
    known = isOld && !(await isOnNetwork) ? file.stamp : undefined
  }

  async function release(): Promise<void> {
    if (released) return
    released = true
    if ((await findOwner(path))?.lockId !== owner.lockId) return
    try {
      await unlink(path)
    } catch (error) {
      if (!isMissing(error)) throw await storageProblem(error, { path, doing: 'unlocking' })
    }
    await syncDirectory(join(path, '..'))
  }

  function watch(lost: (problem: Problem) => void): () => void {
    const timer = setInterval(() => {
      void check().catch((error: unknown) => {
        // A disk that cannot be read now says nothing about who has the lock.
        if (released || !(error instanceof Problem) || error.code !== 'fenced') return
        clearInterval(timer)
        lost(error)
      })
    }, watchMs)
    timer.unref()
    return () => clearInterval(timer)
  }

  return { lockId: owner.lockId, epoch: owner.epoch, owner, check, watch, release }
}

async function findOwner(path: string): Promise<LockOwner | undefined> {
  const file = await readVerified(path, mostBytes)
  return file.kind === 'ok' ? parseOwner(file.bytes) : undefined
}

function fenced(path: string, owner: LockOwner | undefined): Problem {
  return new Problem({
    code: 'fenced',
    what: owner
      ? `This session was taken over: it is open in ${describeOwner(owner)}.`
      : `The lock of this session (${path}) is gone or was replaced; the session directory may have been removed.`,
    why: 'Another process may be writing now, so this one changes nothing any more.',
    todo: 'Close this window, and resume where the session is open now.',
  })
}
