import { lstat } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { type GitReader, gitFailed, nulList } from './git-read.js'

// Which of the paths somebody wants committed may and can be committed (docs/durability.md, "Commits").

/** Larger files are left out of commits. */
export const largestFileBytes = 5 * 1024 * 1024

export interface LeftOut {
  path: string
  why: string
}

export interface CommitList {
  /** Regular files and links that are there. */
  present: string[]
  /** Tracked paths that are gone, or became a directory. */
  gone: string[]
  leftOut: LeftOut[]
}

/** Sorts `paths` by what is to be done with them. `index` must hold the tree of HEAD. */
export async function makeCommitList(
  reader: GitReader,
  paths: string[],
  index: Record<string, string>,
): Promise<CommitList> {
  const tracked = await trackedModes(reader, index)
  const list: CommitList = { present: [], gone: [], leftOut: [] }
  for (const path of new Set(paths.map((each) => posix.normalize(each)))) {
    const fate = await fateOf(reader, path, tracked.get(path))
    if (fate === 'present') list.present.push(path)
    else if (fate === 'gone') list.gone.push(path)
    else list.leftOut.push({ path, why: fate.why })
  }
  const ignored = await ignoredPaths(
    reader,
    list.present.filter((path) => !tracked.has(path)),
  )
  list.present = list.present.filter((path) => !ignored.has(path))
  for (const path of ignored) list.leftOut.push({ path, why: 'ignored by git' })
  return list
}

type Fate = 'present' | 'gone' | { why: string }

async function fateOf(reader: GitReader, path: string, mode: string | undefined): Promise<Fate> {
  const { root } = reader
  if (!isPlainPath(path)) return { why: 'not a path inside the project' }
  // One such name would fail the commit of all others.
  if (path.split('/').some((part) => refused.test(part))) return { why: 'git takes no file of this name' }
  if (reader.isOwn(path)) return { why: 'session files are never committed' }
  if (mode === '160000') return { why: 'a submodule' }
  const absent: Fate = path.includes(unreadable)
    ? { why: 'its name is not UTF-8' }
    : mode
      ? 'gone'
      : { why: 'neither there nor in the last commit' }
  for (const directory of ancestors(path)) {
    const stats = await lstat(join(root, directory)).catch(() => undefined)
    if (!stats?.isDirectory()) return absent
    if (await lstat(join(root, directory, '.git')).catch(() => undefined)) {
      return { why: `inside the nested repository ${directory}` }
    }
  }
  const stats = await lstat(join(root, path)).catch(() => undefined)
  if (!stats) return absent
  if (stats.isDirectory()) return mode ? 'gone' : { why: 'a directory' }
  if (stats.isSymbolicLink()) return 'present'
  if (!stats.isFile()) return { why: 'not a regular file' }
  return stats.size > largestFileBytes ? { why: 'larger than 5 MB' } : 'present'
}

/** Names that mean `.git` on some file system; git refuses them everywhere. */
const refused = /^(?:\.git|git~1)[ .]*(?:[:\\].*)?$/i
/** Stands for bytes that are no text. */
const unreadable = '\ufffd'

function isPlainPath(path: string): boolean {
  if (path === '' || path === '.' || path.startsWith('/') || path.endsWith('/') || path.includes('\0'))
    return false
  return !path.split('/').some((part) => part === '..' || part.toLowerCase() === '.git')
}

function ancestors(path: string): string[] {
  const found: string[] = []
  for (let directory = dirname(path); directory !== '.'; directory = dirname(directory))
    found.unshift(directory)
  return found
}

async function trackedModes(reader: GitReader, index: Record<string, string>): Promise<Map<string, string>> {
  const listed = await reader.pipe(['ls-files', '-s', '-z'], { env: index })
  if (listed.code !== 0 || listed.truncated) throw gitFailed(`git ls-files failed: ${listed.stderr.trim()}`)
  const modes = new Map<string, string>()
  for (const entry of nulList(listed.stdout))
    modes.set(entry.slice(entry.indexOf('\t') + 1), entry.slice(0, 6))
  return modes
}

async function ignoredPaths(reader: GitReader, paths: string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  // check-ignore knows no literal pathspecs; behind `./` nothing is taken for one.
  const input = paths.map((path) => `./${path}\0`).join('')
  const result = await reader.pipe(['check-ignore', '-z', '--stdin'], { input })
  if (result.code !== 0 && result.code !== 1)
    throw gitFailed(`git check-ignore failed: ${result.stderr.trim()}`)
  return new Set(nulList(result.stdout).map((path) => path.replace(/^\.\//, '')))
}
