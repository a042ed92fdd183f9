import { constants } from 'node:fs'
import { lstat, open, rm, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { makeDirectory } from '../make-directory.js'
import { Problem } from '../problem.js'
import { deriveKey, sealHolds, sealOf } from '../secrets/hmac.js'
import { existingUserKey, userKey } from '../secrets/user-key.js'
import { writeDurable } from '../storage/durable-file.js'
import { userConfigDir, userStateDir } from './paths.js'
import { hashOfItems, itemsOf, type TrustedItem, type TrustItem } from './trust-items.js'
import type { TrustSubject } from './trust-subject.js'

export type { TrustedItem, TrustItem } from './trust-items.js'
export type { TrustRequest, TrustSubject } from './trust-subject.js'
export { trustedFiles, trustSubject } from './trust-subject.js'

// What the user has agreed to run, kept outside of every project (docs/durability.md, "Trust").

const kept = z.looseObject({
  version: z.literal(1),
  projects: z.record(
    z.string(),
    z.array(
      z.object({
        hash: z.string(),
        at: z.string(),
        seal: z.string().optional(),
        /** Of the last one only: enough to tell what is another way now. */
        items: z.array(z.tuple([z.string(), z.string(), z.string(), z.string()])).optional(),
      }),
    ),
  ),
})

type Kept = z.infer<typeof kept>

/** Different agents in one project have different subjects; so many of them are remembered. */
const mostSubjects = 20

/** True if exactly this was trusted before. Throws a Problem ('trust') if the record itself cannot be trusted. */
export async function isTrusted(subject: TrustSubject): Promise<boolean> {
  const record = await readRecord()
  const own = Object.hasOwn(record.projects, subject.root) ? record.projects[subject.root] : undefined
  const entry = own?.find(({ hash }) => hash === subject.hash)
  if (!entry) return false
  const key = await existingUserKey(userStateDir())
  // One that autopilot did not write is no consent of anybody.
  return key !== undefined && sealHolds(deriveKey(key, 'trust'), sealed(subject, entry.at), entry.seal)
}

/** True if the user has agreed to anything in this project before, whatever it was. Throws as `isTrusted` does. */
export async function isKnownProject(root: string): Promise<boolean> {
  const { projects } = await readRecord()
  return Object.hasOwn(projects, root) && (projects[root] ?? []).length > 0
}

/**
 * What was agreed to last in this project, to be told what has changed; undefined where nobody can say. It is what the hash
 * that was agreed to says it is, so that nobody else can have written it.
 */
export async function agreedItems(root: string): Promise<readonly TrustedItem[] | undefined> {
  const { projects } = await readRecord()
  const last = Object.hasOwn(projects, root) ? projects[root]?.at(-1) : undefined
  return last?.items && hashOfItems(root, last.items) === last.hash ? last.items : undefined
}

/**
 * Records the user's consent. Only to be called for a key that a person pressed. Several programs at once wait for
 * each other, so that no consent is lost.
 */
export async function trust(subject: TrustSubject): Promise<void> {
  const path = recordPath()
  await makeDirectory(dirname(path))
  await refuseOpenToOthers(dirname(path))
  const key = deriveKey(await userKey(userStateDir()), 'trust')
  await exclusively(`${path}.lock`, async () => {
    const record = await readRecord()
    const own = Object.hasOwn(record.projects, subject.root) ? (record.projects[subject.root] ?? []) : []
    const others = own.filter((entry) => entry.hash !== subject.hash)
    const at = new Date().toISOString()
    const items = itemsOf(subject).map((item): [string, string, string, string] => [...item])
    const entry = { hash: subject.hash, at, seal: sealOf(key, sealed(subject, at)), items }
    const older = others.map(({ items: _, ...kept }) => kept)
    const projects = { ...record.projects, [subject.root]: [...older, entry].slice(-mostSubjects) }
    await writeDurable(path, Buffer.from(`${JSON.stringify({ ...record, projects }, null, 2)}\n`))
  })
}

function sealed(subject: TrustSubject, at: string): string {
  return JSON.stringify([subject.root, subject.hash, at])
}

/** False where it is there already. */
async function makeAlone(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function isStale(lock: string): Promise<boolean> {
  const facts = await lstat(lock).catch(() => undefined)
  return facts !== undefined && Date.now() - facts.mtimeMs > staleLockMs
}

/** One at a time, and only after another look: the lock of somebody who came first is not broken with the old one. */
async function breakLock(lock: string): Promise<void> {
  const breaking = `${lock}.break`
  if (!(await makeAlone(breaking))) {
    if (await isStale(breaking)) await rm(breaking, { force: true })
    await sleep(lockPauseMs)
    return
  }
  try {
    if (await isStale(lock)) await rm(lock, { force: true })
  } finally {
    await rm(breaking, { force: true })
  }
}

const lockPauseMs = 20
/** Older than any write takes: whoever made it is dead. */
const staleLockMs = 10_000

async function exclusively(lock: string, action: () => Promise<void>): Promise<void> {
  while (!(await makeAlone(lock))) {
    if (await isStale(lock)) await breakLock(lock)
    else await sleep(lockPauseMs)
  }
  try {
    await action()
  } finally {
    await rm(lock, { force: true })
  }
}

const order: TrustItem['kind'][] = [
  'agent',
  'validate',
  'command',
  'program',
  'script',
  'settings',
  'config',
  'hook',
  'git',
]

/**
 * What would be executed, in full, one line each; first what is not as it was `before`. Names come from the project: sanitise
 * before showing.
 */
export function describeSubject(subject: TrustSubject, before?: readonly TrustedItem[]): string[] {
  const lines = [`Project: ${subject.root}`, ...(before ? changesSince(subject, before) : [])]
  for (const kind of order) {
    for (const item of subject.items) if (item.kind === kind) lines.push(`${item.label}: ${item.detail}`)
  }
  return lines
}

function changesSince(subject: TrustSubject, before: readonly TrustedItem[]): string[] {
  const nameOf = ([kind, label, detail]: TrustedItem) => JSON.stringify([kind, label, detail])
  const [was, is] = [before, itemsOf(subject)].map((items) => new Map(items.map((one) => [nameOf(one), one])))
  const told = (word: string, [, label, detail]: TrustedItem) => `${word}: ${label}: ${detail}`
  const now = [...(is ?? [])].flatMap(([name, item]) => {
    const old = was?.get(name)
    return old === undefined ? [told('New', item)] : old[3] === item[3] ? [] : [told('Changed', item)]
  })
  const gone = [...(was ?? [])].flatMap(([name, item]) => (is?.has(name) ? [] : [told('Gone', item)]))
  return [...now, ...gone]
}

function recordPath(): string {
  return join(userConfigDir(), 'trust.json')
}

async function readRecord(): Promise<Kept> {
  const path = recordPath()
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw untrustworthy(path, `cannot be read (${error.code})`)
  })
  if (!stats) return { version: 1, projects: {} }
  if (!stats.isFile()) throw untrustworthy(path, 'is not a regular file')
  await refuseOpenToOthers(dirname(path))
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const opened = await file.stat()
      refuseOwner(path, opened.uid, opened.mode)
      return kept.parse(JSON.parse(await file.readFile('utf8')))
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw untrustworthy(path, 'cannot be read')
  }
}

async function refuseOpenToOthers(path: string): Promise<void> {
  const stats = await stat(path)
  // A group of one's own may write to the directory on many systems; the file itself is checked harder.
  refuseOwner(path, stats.uid, stats.mode & ~0o020)
}

function refuseOwner(path: string, uid: number, mode: number): void {
  if (process.platform === 'win32') return
  if (uid !== userInfo().uid) throw untrustworthy(path, 'belongs to another user')
  if (mode & 0o022) throw untrustworthy(path, 'can be written by other users')
}

function untrustworthy(path: string, reason: string): Problem {
  return new Problem({
    code: 'trust',
    what: `${path} ${reason}.`,
    why: 'It records which programs you allowed to run, so nobody else may be able to change it.',
    todo: 'Look at it, then correct it (chmod 600, your own user) or delete it; autopilot asks again.',
  })
}
