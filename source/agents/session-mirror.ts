import { type BigIntStats, constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { counted } from '../counted.js'

// Copies of a session's files for an agent that is confined (docs/evidence.md, "Confinement"). It finds them where
// the session is; what it changes in them is taken over as its claim, and what is ours alone never is.

/** Of the session directory: ours, visible to the agent and not to be written. */
export const readOnlyRecords = ['journal.jsonl', 'lock.json', 'dispatches', 'logs']
/** Ours as well, but saved by rename, so that the agent has a copy, which nobody takes over. */
const ownNames = ['summary.json', 'seal.json', 'archive', 'approved']
/** Of the session directory: kept by agents that come with autopilot; they write there themselves. */
export const agentFolders = ['conversations', 'outputs']
/** Of the session directory: what was put back, put away or seen. No agent has to know of it. */
const keptFolders = ['snapshots', 'left', 'put-back', 'put-aside']

const largestCopied = 5 * 1024 * 1024
const mostFiles = 2_000
const deepest = 5
const pollMs = 300

export interface SessionMirror {
  /** Absolute path of the copies. */
  copies: string
  /** The last look, after the agent is gone. */
  finish(): Promise<NotTaken>
}

/** What an agent left in its copies and nobody took over; names in the session directory. */
export interface NotTaken {
  /** Files that are ours: they stay as they were. */
  ours: string[]
  /** In the place of a record, something that is none: a FIFO, a directory, a link, or what is too large for one. */
  odd: { path: string; what: string }[]
}

export interface MirrorOptions {
  /** Absolute. */
  sessionDir: string
  copies: string
  /** Nothing of the session is copied: the agent finds it empty, and what it makes there is taken over all the same. */
  startsEmpty?: boolean
  /** Names in the session directory that are ours beside the usual ones, such as that of the state file. */
  records: readonly string[]
}

/** What was seen of one file when both sides were the same. */
interface Seen {
  real: string
  copy: string
}

/**
 * Makes the copies and follows both sides until `finish`: a change of the agent goes into the session, one of ours into
 * the copies. Where both changed a file the agent's counts, as it would without a copy.
 */
export async function mirrorSession(options: MirrorOptions): Promise<SessionMirror> {
  const { copies, sessionDir } = options
  await rm(copies, { recursive: true, force: true })
  await mkdir(copies, { recursive: true, mode: 0o700 })
  const mirror: Mirror = { options, seen: new Map(), strays: new Set() }
  for (const path of options.startsEmpty ? [] : await filesBelow(sessionDir)) await copyIn(mirror, path)
  let busy: Promise<void> = Promise.resolve()
  const look = async () => {
    busy = busy.then(async () => await compare(mirror)).catch(() => undefined)
    await busy
  }
  const timer = setInterval(() => void look(), pollMs)
  timer.unref()
  return {
    copies,
    async finish() {
      clearInterval(timer)
      await busy
      await compare(mirror)
      return { ours: [...mirror.strays].sort(), odd: await oddRecords(mirror) }
    },
  }
}

interface Mirror {
  options: MirrorOptions
  seen: Map<string, Seen>
  strays: Set<string>
}

async function compare(mirror: Mirror): Promise<void> {
  const { options, seen } = mirror
  const [inside, outside] = await Promise.all([filesBelow(options.copies), filesBelow(options.sessionDir)])
  for (const path of new Set([...inside, ...outside, ...seen.keys()])) await compareOne(mirror, path)
}

async function compareOne(mirror: Mirror, path: string): Promise<void> {
  const { options, seen, strays } = mirror
  const before = seen.get(path)
  // What is there now is asked about in the end, when it still is.
  if ((await oddityOf(options, path)) !== undefined) return
  const [real, copy] = await Promise.all([
    stampOf(join(options.sessionDir, path)),
    stampOf(join(options.copies, path)),
  ])
  if (copy !== (before?.copy ?? gone)) {
    if (isOurs(options, path)) {
      strays.add(path)
      seen.set(path, { real, copy })
    } else await takeOver(mirror, path, copy)
  } else if (real !== (before?.real ?? gone) && !options.startsEmpty) await copyIn(mirror, path)
}

/** The agent's version goes into the session, as a whole or not at all. */
async function takeOver({ options, seen }: Mirror, path: string, copy: string): Promise<void> {
  const target = join(options.sessionDir, path)
  if (copy === gone) await rm(target, { force: true })
  else await copyWhole(join(options.copies, path), target)
  seen.set(path, { real: await stampOf(target), copy })
}

async function copyIn({ options, seen }: Mirror, path: string): Promise<void> {
  const source = join(options.sessionDir, path)
  const target = join(options.copies, path)
  const real = await stampOf(source)
  if (real === gone) await rm(target, { force: true })
  else await copyWhole(source, target).catch(() => undefined)
  seen.set(path, { real, copy: await stampOf(target) })
}

async function copyWhole(from: string, to: string): Promise<void> {
  const draft = `${to}.copy-${process.pid}`
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  // Never through a link that was put there meanwhile: the file is opened once and looked at.
  const file = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const facts = await file.stat()
    if (!facts.isFile() || facts.size > largestCopied) return
    const draftFile = await open(draft, 'w', 0o600)
    try {
      await draftFile.writeFile(await file.readFile())
    } finally {
      await draftFile.close()
    }
    await rename(draft, to)
  } catch (error) {
    await unlink(draft).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
}

/** Where a record is looked for: what was a file when it was last seen, and what is called as one. */
async function oddRecords({ options, seen }: Mirror): Promise<NotTaken['odd']> {
  const names = await readdir(options.copies).catch(() => [] as string[])
  const paths = new Set([...seen.keys(), ...names.filter((name) => /\.(?:json|md)$/.test(name))])
  const odd: NotTaken['odd'] = []
  for (const path of [...paths].sort()) {
    const what = isOurs(options, path) ? undefined : await oddityOf(options, path)
    if (what !== undefined) odd.push({ path, what })
  }
  return odd
}

/** What the copy of a record is in place of a file of a record's size; undefined for such a file, and for nothing. */
async function oddityOf({ copies }: MirrorOptions, path: string): Promise<string | undefined> {
  const facts = await lstat(join(copies, path)).catch(() => undefined)
  if (facts === undefined) return undefined
  if (facts.isFile())
    return facts.size > largestCopied ? `a file of ${counted(facts.size, 'byte')}` : undefined
  if (facts.isDirectory()) return 'a directory'
  if (facts.isSymbolicLink()) return 'a link'
  return facts.isFIFO() ? 'a FIFO' : 'no file'
}

function isOurs({ records }: MirrorOptions, path: string): boolean {
  const [first = ''] = path.split('/')
  return [...ownNames, ...readOnlyRecords].includes(first) || records.includes(path)
}

const gone = ''

async function stampOf(path: string): Promise<string> {
  const facts: BigIntStats | undefined = await lstat(path, { bigint: true }).catch(() => undefined)
  if (!facts?.isFile()) return gone
  return [facts.ino, facts.size, facts.mtimeNs].join(' ')
}

/** Regular files, relative, but for those that are mounted by themselves. */
async function filesBelow(directory: string, below = '', depth = 0): Promise<string[]> {
  const entries = await readdir(join(directory, below), { withFileTypes: true }).catch(() => [])
  const files: string[] = []
  for (const entry of entries) {
    if (depth === 0 && [...readOnlyRecords, ...agentFolders, ...keptFolders].includes(entry.name)) continue
    if (/\.(?:copy-\d+|tmp)$/.test(entry.name)) continue
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isFile()) files.push(path)
    else if (entry.isDirectory() && depth < deepest)
      files.push(...(await filesBelow(directory, path, depth + 1)))
    if (files.length >= mostFiles) return files.slice(0, mostFiles)
  }
  return files
}
