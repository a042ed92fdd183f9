import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { commitId, type GitReader, gitFailed, nulList } from './git-read.js'
import { contentHash, readDirty } from './git-status.js'

// What commits hold and what a work tree holds against one, as evidence of work (docs/evidence.md).

export interface CommitFile {
  path: string
  /** Id of the content; null where the commit takes the file away. */
  blob: string | null
}

export interface CommitContent {
  sha: string
  subject: string
  /** Against its parents; of a merge, against each of them. Empty for a commit that changes nothing. */
  files: CommitFile[]
}

const noNames = /^0+$/

/** Commits after `from` up to HEAD, newest first, with the files of each. */
export async function commitContents(reader: GitReader, from: string): Promise<CommitContent[]> {
  const first = await commitId(reader, from)
  if (first === undefined) return []
  const log = await reader.read(['log', '-z', '--format=%H%x1f%s', `${first}..HEAD`, '--'])
  const commits = nulList(log).map((entry) => {
    const [sha = '', subject = ''] = entry.trim().split('\x1f')
    return { sha, subject, files: [] as CommitFile[] }
  })
  if (commits.length === 0) return []
  const args = ['diff-tree', '--stdin', '-r', '-m', '--root', '--no-renames', '--no-abbrev', '-z']
  const input = commits.map(({ sha }) => `${sha}\n`).join('')
  const listed = await reader.pipe(args, { input })
  if (listed.code !== 0 || listed.truncated) throw gitFailed(`git diff-tree failed: ${listed.stderr.trim()}`)
  fillFiles(new Map(commits.map((commit) => [commit.sha, commit])), nulList(listed.stdout))
  return commits.map((commit) => ({
    ...commit,
    files: commit.files.filter(({ path }) => !reader.isOwn(path)),
  }))
}

function fillFiles(commits: ReadonlyMap<string, CommitContent>, entries: readonly string[]): void {
  let commit: CommitContent | undefined
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at] ?? ''
    if (!entry.startsWith(':')) {
      commit = commits.get(entry.trim())
      continue
    }
    const blob = entry.split(' ')[3] ?? ''
    at += 1
    commit?.files.push({ path: entries[at] ?? '', blob: noNames.test(blob) ? null : blob })
  }
}

/** Paths whose content in the work tree is not that of the commit; untracked files are among them. Sorted. */
export async function changedFrom(reader: GitReader, commit: string): Promise<string[]> {
  const id = await commitId(reader, commit)
  if (id === undefined) throw gitFailed(`${commit} is not a commit of this repository.`)
  const args = ['diff', '--no-ext-diff', '--no-textconv', '--name-only', '-z', '--no-renames', id]
  const tracked = nulList(await reader.read([...args, ...reader.withoutOwn]))
  const inCommit = new Set(await pathsAt(reader, id))
  const untracked = (await readDirty(reader)).filter(({ path, hash }) => hash !== null && !inCommit.has(path))
  return [...new Set([...tracked, ...untracked.map(({ path }) => path)])].sort()
}

/** Files of a commit, without session files. */
export async function pathsAt(reader: GitReader, commit: string): Promise<string[]> {
  return [...(await kindsAt(reader, commit)).keys()]
}

/** The same with what each is to git: a `blob`, or the `commit` of a submodule. */
async function kindsAt(reader: GitReader, commit: string): Promise<Map<string, string>> {
  const id = await commitId(reader, commit)
  if (id === undefined) throw gitFailed(`${commit} is not a commit of this repository.`)
  const output = await reader.readFixed(['ls-tree', '-r', '-z', '--full-tree', id])
  const entries = nulList(output).map((entry): [string, string] => {
    const tab = entry.indexOf('\t')
    return [entry.slice(tab + 1), entry.slice(0, tab).split(' ')[1] ?? '']
  })
  return new Map(entries.filter(([path]) => !reader.isOwn(path)))
}

/** Of these paths, those that a commit has and the work tree has not: a file, or the directory of a submodule. */
export async function lostPaths(
  reader: GitReader,
  commit: string,
  paths: readonly string[],
): Promise<string[]> {
  const kinds = await kindsAt(reader, commit)
  const lost: string[] = []
  for (const path of paths) {
    const kind = kinds.get(path)
    if (kind !== undefined && !(await stands(join(reader.root, path), kind))) lost.push(path)
  }
  return lost
}

/** Files of a commit that lie under another name now, with that name: what `git mv` does. */
export async function movedFrom(reader: GitReader, commit: string): Promise<Map<string, string>> {
  const args = ['diff', '--no-ext-diff', '--no-textconv', '--name-status', '-z', '-M', '--diff-filter=R']
  const fields = nulList(await reader.read([...args, commit, ...reader.withoutOwn]))
  const moved = new Map<string, string>()
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [kind = '', from = '', to = ''] = fields.slice(at, at + 3)
    if (kind.startsWith('R')) moved.set(from, to)
  }
  return moved
}

/** A submodule that is not checked out is an empty directory. */
async function stands(path: string, kind: string): Promise<boolean> {
  if (kind !== 'commit') return (await contentHash(path)) !== null
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false
}

/** Content of a file in a commit, at most 5 MB of it; undefined where the commit does not have it. */
export async function textAt(reader: GitReader, commit: string, path: string): Promise<string | undefined> {
  const id = await commitId(reader, commit)
  if (id === undefined || path.includes('\0')) return undefined
  const found = await reader.pipe(['cat-file', 'blob', `${id}:${path}`], { capBytes: 5 * 1024 * 1024 })
  return found.code === 0 ? found.stdout : undefined
}

/** Lines added and removed between a commit and HEAD; binary files count for none. */
export async function changedLines(reader: GitReader, from: string): Promise<number> {
  const args = ['diff', '--no-ext-diff', '--no-textconv', '--no-renames', '--numstat', from, 'HEAD']
  const output = await reader.read([...args, ...reader.withoutOwn])
  return output
    .split('\n')
    .flatMap((line) => line.split('\t').slice(0, 2))
    .reduce((sum, count) => sum + (Number(count) || 0), 0)
}

/** Files that HEAD has and an earlier commit had not. */
export async function addedFiles(reader: GitReader, from: string): Promise<string[]> {
  const args = [
    'diff',
    '--no-ext-diff',
    '--no-textconv',
    '--no-renames',
    '--name-only',
    '-z',
    '--diff-filter=A',
  ]
  return nulList(await reader.read([...args, from, 'HEAD', ...reader.withoutOwn]))
}

/** Files of the work tree that git knows and that hold a word; without binary ones. */
export async function filesWith(reader: GitReader, word: string): Promise<string[]> {
  const result = await reader.pipe(['grep', '-l', '-z', '-I', '-F', '-e', word, ...reader.withoutOwn])
  return result.code === 0 ? nulList(result.stdout) : []
}
