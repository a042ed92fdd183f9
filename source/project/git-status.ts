import { createHash } from 'node:crypto'
import { constants, lstatSync } from 'node:fs'
import { open, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { rememberedHash } from './file-hash.js'
import { GitExit, type GitReader, gitFailed } from './git-read.js'

// What differs from the last commit, with a hash of each content (docs/durability.md, "Commits").

export interface DirtyPath {
  /** Relative to the root, `/` between the parts. */
  path: string
  /** sha256 of the content (of a link: of its target), hex; null when nothing is there. */
  hash: string | null
  /** The index differs from the last commit: somebody staged it. */
  staged: boolean
}

export interface Changes {
  /** Clean before. */
  mine: string[]
  /** Already dirty before, and changed since. */
  beforehand: string[]
}

const readAtOnce = 8
/** So many files are looked at before anything else has its turn, keys among it. */
const lookedAtOnce = 256
const wholeBytes = 256 * 1024

/** Every path that differs from HEAD, untracked ones too; nested repositories and session files are not in it. */
export async function readDirty(reader: GitReader): Promise<DirtyPath[]> {
  const output = await readStatus(reader)
  const entries = parseStatus(output).filter((entry) => !entry.nested && !reader.isOwn(entry.path))
  const found: DirtyPath[] = []
  for (let at = 0; at < entries.length; at += readAtOnce) {
    const some = entries.slice(at, at + readAtOnce).map(async ({ path, staged }) => {
      return { path, hash: await contentHash(join(reader.root, path)), staged }
    })
    found.push(...(await Promise.all(some)))
    if (at % lookedAtOnce === 0) await setImmediate()
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Paths of submodules and nested repositories whose content differs from what is committed. */
export async function dirtySubmodules(reader: GitReader): Promise<string[]> {
  return parseStatus(await readStatus(reader))
    .filter((entry) => entry.submodule)
    .map((entry) => entry.path)
}

async function readStatus(reader: GitReader): Promise<string> {
  const args = [
    'status',
    '--porcelain=v2',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    ...reader.withoutOwn,
  ]
  try {
    return await reader.read(args)
  } catch (error) {
    if (error instanceof GitExit) throw gitFailed(`git status failed: ${error.output.trim()}`, error)
    throw error
  }
}

export function compareDirty(before: DirtyPath[], now: DirtyPath[]): Changes {
  const known = new Map(before.map((entry) => [entry.path, entry.hash]))
  const changed = now.filter((entry) => !known.has(entry.path) || known.get(entry.path) !== entry.hash)
  return {
    mine: changed.filter((entry) => !known.has(entry.path)).map((entry) => entry.path),
    beforehand: changed.filter((entry) => known.has(entry.path)).map((entry) => entry.path),
  }
}

export interface StatusEntry {
  path: string
  staged: boolean
  unmerged: boolean
  /** Another repository lies there; its content is not ours to commit. */
  nested: boolean
  submodule: boolean
}

/** Reads `status --porcelain=v2 -z`. A rename is given as both of its paths. */
export function parseStatus(output: string): StatusEntry[] {
  const records = output.split('\0')
  const entries: StatusEntry[] = []
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? ''
    const kind = record.charAt(0)
    if (kind === '?') {
      const path = record.slice(2)
      entries.push({ path, staged: false, unmerged: false, nested: path.endsWith('/'), submodule: false })
      continue
    }
    const fieldsBefore = kind === '1' ? 8 : kind === '2' ? 9 : kind === 'u' ? 10 : undefined
    if (fieldsBefore === undefined) continue
    const fields = record.split(' ')
    const path = fields.slice(fieldsBefore).join(' ')
    const submodule = (fields[2] ?? '').startsWith('S')
    const staged = !(fields[1] ?? '.').startsWith('.')
    entries.push({ path, staged, unmerged: kind === 'u', nested: submodule, submodule })
    if (kind === '2') {
      at += 1
      entries.push({ path: records[at] ?? '', staged, unmerged: false, nested: false, submodule: false })
    }
  }
  return entries
}

/** sha256 of a file's content, of a link its target; null where nothing is there, or no file. */
export async function contentHash(path: string): Promise<string | null> {
  try {
    // At once: on its way through the pool a look costs ten times the look, and most files need no more.
    const stats = lstatSync(path, { bigint: true })
    if (stats.isSymbolicLink()) return hashOfBytes(await readlink(path))
    if (!stats.isFile()) return null
    return await rememberedHash('content', path, stats, () => hashOfFile(path, stats.size))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw gitFailed(`${path} differs from the last commit but cannot be read (${code}).`, error)
  }
}

async function hashOfFile(path: string, size: bigint): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    // A stream costs more than all of a small file.
    if (size <= wholeBytes) return hashOfBytes(await file.readFile())
    const hash = createHash('sha256')
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk)
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}

const hashOfBytes = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
