import { type BigIntStats, constants, lstatSync } from 'node:fs'
import { access, lstat, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { entryOfFile, entryToVerify, type IndexEntry, readIndex, writeIndex } from './index-file.js'
import { fileAt, pathOfBytes, rawOfPath } from './path-bytes.js'
import { entriesOf } from './person-index.js'
import { readPlainText } from './plain-read.js'
import { writeCommit } from './private-commit.js'
import { callGit, isOwnPath, mustGit, type PrivateRepository } from './private-repository.js'
import type { FileFacts } from './snapshot-types.js'
import { digestOf, forEachOf, writeWhole } from './store.js'

// The work tree as a tree of git. The private index is carried from snapshot to snapshot, so that only what changed is read.
// What is not stored (too large, too much, not readable) stands in it with an id made of size and times, and git itself
// finds it unchanged.

/** Content of untracked files that is kept in all, and the largest file that is kept, in bytes. */
export const untrackedBudgetBytes = 64 * 1024 * 1024
export const largestKeptBytes = 5 * 1024 * 1024

/** More single ignored files than this are only named. */
const mostIgnoredLooks = 20_000

export interface WorkTree {
  tree: string
  loose: Record<string, string>
  ignored: Record<string, FileFacts>
  ignoredDirectories: string[]
  /** Directories that hold repositories of their own, without a slash at the end. */
  nested: string[]
}

const unstoredMark = 'ffffffffff'

/** True for the id of a file whose content is not kept. */
export function isUnstored(id: string): boolean {
  return id.startsWith(unstoredMark)
}

export function unstoredId(stats: BigIntStats, idBytes: number): string {
  const facts = [stats.size, stats.mtimeNs, stats.ctimeNs, stats.mode & 0o170000n].join(' ')
  return (unstoredMark + digestOf(facts)).slice(0, idBytes * 2)
}

interface Status {
  removed: string[]
  changed: string[]
  untracked: string[]
  ignored: string[]
  nested: string[]
  /** The index differs from the last commit of ours. */
  ahead: boolean
}

/** Brings the private index up to date and gives its tree. */
export async function readWorkTree(repo: PrivateRepository): Promise<WorkTree> {
  await removeLock(repo)
  const known = await lastTree(repo)
  if (known === undefined) await seed(repo)
  const stamp = stampOf(repo)
  const status = await readStatus(repo)
  const nothing = status.removed.length + status.changed.length + status.untracked.length === 0
  const loose: Record<string, string> = {}
  let tree = known?.tree
  if (!nothing) await takeUp(repo, status, loose)
  const doubted = stampOf(repo) !== stamp && (await doubtFresh(repo))
  // Also where only doubts were noted: the index that git writes then knows its trees, which makes the next status quick.
  if (tree === undefined || !nothing || status.ahead || doubted) tree = await writeTree(repo)
  return { tree, loose, nested: status.nested, ...(await ignoredOf(repo, status.ignored)) }
}

/** Left behind by a git that was killed: nobody else works here. */
async function removeLock(repo: PrivateRepository): Promise<void> {
  const lock = join(repo.dir, 'index.lock')
  if (lstatSync(lock, { throwIfNoEntry: false })) await rm(lock, { force: true })
}

async function lastTree(repo: PrivateRepository): Promise<{ tree: string } | undefined> {
  const text = await readPlainText(join(repo.dir, 'tree'))
  const there = lstatSync(join(repo.dir, 'index'), { throwIfNoEntry: false })
  const id = text.trim()
  return there?.isFile() && id.length === repo.idBytes * 2 ? { tree: id } : undefined
}

function stampOf(repo: PrivateRepository): string {
  const stats = lstatSync(join(repo.dir, 'index'), { bigint: true, throwIfNoEntry: false })
  return [stats?.ino, stats?.size, stats?.mtimeNs].join(' ')
}

/** Begin of the second in which we are, in nanoseconds. */
function thisSecond(): bigint {
  return BigInt(Math.floor(Date.now() / 1000)) * 1_000_000_000n
}

/**
 * Git compares times by the second. A file that was touched in this one could be changed again in it, and its old time of
 * change be put back, unseen: the next status compares its content.
 */
async function doubtFresh(repo: PrivateRepository): Promise<boolean> {
  const place = join(repo.dir, 'index')
  const entries = (await readIndex(await readFile(place), repo.idBytes)) ?? []
  const second = Number(thisSecond() / 1_000_000_000n)
  let doubted = false
  const checked = entries.map((entry) => {
    if (entry.times.readUInt32BE(0) < second || isUnstored(entry.oid)) return entry
    doubted = true
    return entryToVerify(entry)
  })
  if (doubted) await writeWhole(place, await writeIndex(checked, repo.idBytes))
  return doubted
}

/** The first index: what the person tracks, each to be compared with what lies in the work tree. */
async function seed(repo: PrivateRepository): Promise<void> {
  const gitlink = 0o160000
  const entries = (await entriesOf(repo)).filter(
    (entry) =>
      entry.stage === 0 &&
      !entry.intent &&
      entry.mode !== gitlink &&
      !isOwnPath(repo.place, pathOfBytes(entry.raw)),
  )
  const index = await writeIndex(entries.map(entryToVerify), repo.idBytes)
  await writeWhole(join(repo.dir, 'index'), index)
  await writeTree(repo)
}

async function readStatus(repo: PrivateRepository): Promise<Status> {
  const output = await mustGit(repo, [
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--ignored=matching',
    '--ignore-submodules=all',
    '--no-renames',
  ])
  const status: Status = { removed: [], changed: [], untracked: [], ignored: [], nested: [], ahead: false }
  for (const record of output.toString('latin1').split('\0')) {
    if (record.length < 4) continue
    const path = pathOfBytes(record.slice(3))
    const kind = record.slice(0, 2)
    if (isOwnPath(repo.place, path.replace(/\/$/, ''))) continue
    if (kind === '!!') status.ignored.push(path)
    else if (kind === '??') {
      if (path.endsWith('/')) status.nested.push(path.slice(0, -1))
      else status.untracked.push(path)
    } else {
      if (kind[0] !== ' ') status.ahead = true
      if (kind[1] === 'D') status.removed.push(path)
      else if (kind[1] !== ' ') status.changed.push(path)
    }
  }
  return status
}

/** Takes what changed into the private index. `loose` gets what may still change within the tick of the clock. */
async function takeUp(repo: PrivateRepository, status: Status, loose: Record<string, string>): Promise<void> {
  const kept = await readKept(repo)
  const tracked = await trackedPaths(repo, status)
  const removed = [...status.removed]
  const stored: string[] = []
  const unstored = new Map<string, BigIntStats>()
  let budget = untrackedBudgetBytes - Object.values(kept).reduce((sum, size) => sum + size, 0)
  for (const path of status.removed) delete kept[path]
  await forEachOf([...status.changed, ...status.untracked], async (path) => {
    const file = fileAt(repo.place.root, path)
    const stats = await lstat(file, { bigint: true }).catch(() => undefined)
    // A pipe, a socket or a device is no file of the tree: git does not list them either.
    if (stats === undefined || !(stats.isFile() || stats.isSymbolicLink())) {
      removed.push(path)
      return
    }
    const own = !tracked.has(path)
    const size = Number(stats.size)
    if (own) budget += kept[path] ?? 0
    delete kept[path]
    if ((await canKeep(file, stats)) && !(own && size > budget)) {
      stored.push(path)
      if (!own) return
      budget -= size
      kept[path] = size
    } else unstored.set(path, stats)
  })
  await remove(repo, removed)
  await add(repo, stored)
  await standIn(repo, unstored, loose)
  await writeWhole(join(repo.dir, 'kept.json'), JSON.stringify(kept))
}

async function canKeep(file: string | Buffer, stats: BigIntStats): Promise<boolean> {
  if (stats.isSymbolicLink()) return true
  if (!stats.isFile() || stats.size > BigInt(largestKeptBytes)) return false
  return await access(file, constants.R_OK).then(
    () => true,
    () => false,
  )
}

async function readKept(repo: PrivateRepository): Promise<Record<string, number>> {
  try {
    return JSON.parse(await readPlainText(join(repo.dir, 'kept.json'))) as Record<string, number>
  } catch {
    // Not there yet, or torn: then a little more is kept than planned.
    return {}
  }
}

/** What the person tracks; asked only where something is there that the private index does not know. */
async function trackedPaths(repo: PrivateRepository, status: Status): Promise<ReadonlySet<string>> {
  if (status.untracked.length + status.changed.length === 0) return new Set()
  return new Set((await entriesOf(repo)).map((entry) => pathOfBytes(entry.raw)))
}

function nulJoined(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${rawOfPath(path)}\0`).join(''), 'latin1')
}

async function remove(repo: PrivateRepository, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  await mustGit(repo, ['update-index', '--force-remove', '-z', '--stdin'], { input: nulJoined(paths) })
}

async function add(repo: PrivateRepository, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin']
  const all = await callGit(repo, args, { input: nulJoined(paths) })
  if (all.code === 0 || paths.length === 1) return
  // Something moved under our feet. Halved again and again, only that is left out.
  const middle = paths.length >> 1
  await add(repo, paths.slice(0, middle))
  await add(repo, paths.slice(middle))
}

/** Puts files into the index whose content is not kept. */
async function standIn(
  repo: PrivateRepository,
  files: ReadonlyMap<string, BigIntStats>,
  loose: Record<string, string>,
): Promise<void> {
  if (files.size === 0) return
  const place = join(repo.dir, 'index')
  const entries = (await readIndex(await readFile(place), repo.idBytes)) ?? []
  const others = entries.filter((entry) => !files.has(pathOfBytes(entry.raw)))
  const second = thisSecond()
  const added: IndexEntry[] = []
  for (const [path, stats] of files) {
    const id = unstoredId(stats, repo.idBytes)
    const entry = entryOfFile(rawOfPath(path), id, stats)
    // Git compares the content of what was written in the second of the index: 300 MB for nothing.
    if (stats.mtimeNs >= second || stats.ctimeNs >= second) loose[path] = `${entry.mode.toString(8)} ${id}`
    else added.push(entry)
  }
  await writeWhole(place, await writeIndex([...others, ...added], repo.idBytes))
}

/** Writes the tree of the index, and a commit of it that the next status is compared with. */
async function writeTree(repo: PrivateRepository): Promise<string> {
  // All of it into a place that borrows nothing: what the project has today may be pruned tomorrow.
  const env = { GIT_OBJECT_DIRECTORY: join(repo.dir, 'trees') }
  const tree = (await mustGit(repo, ['write-tree', '--missing-ok'], { env })).toString('latin1').trim()
  const commit = await writeCommit(repo, tree)
  // In this order a crash between them shows as an index that is ahead of the commit.
  await writeWhole(join(repo.dir, 'tree'), tree)
  await writeWhole(join(repo.dir, 'refs', 'heads', 'snapshot'), `${commit}\n`)
  return tree
}

async function ignoredOf(
  repo: PrivateRepository,
  listed: readonly string[],
): Promise<Pick<WorkTree, 'ignored' | 'ignoredDirectories'>> {
  // A directory that ignores itself, as caches of tools do, is one directory.
  const selfIgnored = listed.filter((path) => path.endsWith('/.gitignore')).map((path) => path.slice(0, -10))
  const closed = new Set(selfIgnored)
  const inClosed = (path: string) => {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      if (closed.has(path.slice(0, at + 1))) return true
    }
    return false
  }
  const open = closed.size === 0 ? listed : listed.filter((path) => !inClosed(path))
  const directories = open.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1))
  for (const path of closed) if (!inClosed(path.slice(0, -1))) directories.push(path.slice(0, -1))
  const ignored: Record<string, FileFacts> = {}
  const files = open.filter((path) => !path.endsWith('/'))
  for (const path of files) ignored[path] = { size: -1, mtimeNs: '' }
  await forEachOf(files.slice(0, mostIgnoredLooks), async (path) => {
    const stats = await lstat(fileAt(repo.place.root, path), { bigint: true }).catch(() => undefined)
    const { size, mtimeNs, ctimeNs } = stats ?? {}
    if (stats) ignored[path] = { size: Number(size), mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs) }
  })
  return { ignored, ignoredDirectories: directories.sort() }
}
