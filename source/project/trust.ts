import { constants } from 'node:fs'
import { lstat, mkdir, open, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { Problem } from '../problem.js'
import { writeDurable } from '../storage/durable-file.js'
import { userConfigDir } from './paths.js'
import type { TrustItem, TrustSubject } from './trust-subject.js'

export type { TrustItem, TrustRequest, TrustSubject } from './trust-subject.js'
export { trustSubject } from './trust-subject.js'

// What the user has agreed to run, kept outside of every project (docs/durability.md, "Trust").

const kept = z.looseObject({
  version: z.literal(1),
  projects: z.record(z.string(), z.array(z.object({ hash: z.string(), at: z.string() }))),
})

type Kept = z.infer<typeof kept>

/** Different agents in one project have different subjects; so many of them are remembered. */
const mostSubjects = 20

/** True if exactly this was trusted before. Throws a Problem ('trust') if the record itself cannot be trusted. */
export async function isTrusted(subject: TrustSubject): Promise<boolean> {
  const record = await readRecord()
  const own = Object.hasOwn(record.projects, subject.root) ? record.projects[subject.root] : undefined
  return own?.some((entry) => entry.hash === subject.hash) ?? false
}

/** Records the user's consent. Only to be called for a key that a person pressed. */
export async function trust(subject: TrustSubject): Promise<void> {
  const record = await readRecord()
  const own = Object.hasOwn(record.projects, subject.root) ? (record.projects[subject.root] ?? []) : []
  const others = own.filter((entry) => entry.hash !== subject.hash)
  const entries = [...others, { hash: subject.hash, at: new Date().toISOString() }].slice(-mostSubjects)
  const projects = { ...record.projects, [subject.root]: entries }
  const path = recordPath()
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await refuseOpenToOthers(dirname(path))
  await writeDurable(path, Buffer.from(`${JSON.stringify({ ...record, projects }, null, 2)}\n`))
}

const order: TrustItem['kind'][] = ['agent', 'validate', 'command', 'script', 'config', 'hook', 'git']

/** What would be executed, in full, one line each. Names come from the project: sanitise before showing. */
export function describeSubject(subject: TrustSubject): string[] {
  const lines = [`Project: ${subject.root}`]
  for (const kind of order) {
    for (const item of subject.items) if (item.kind === kind) lines.push(`${item.label}: ${item.detail}`)
  }
  return lines
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
