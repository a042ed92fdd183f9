import { commitId, type GitReader, gitFailed, nulList } from './git-read.js'
import { readDirty } from './git-status.js'

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

/** Lines that a commit adds to one file. */
export interface AddedText {
  sha: string
  path: string
  text: string
}

const noNames = /^0+$/
const addedCapBytes = 32 * 1024 * 1024

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

/** Sizes in bytes of contents, by their ids. */
export async function blobSizes(reader: GitReader, blobs: readonly string[]): Promise<Map<string, number>> {
  if (blobs.length === 0) return new Map()
  const input = blobs.map((blob) => `${blob}\n`).join('')
  const { stdout } = await reader.pipe(['cat-file', '--batch-check=%(objectname) %(objectsize)'], { input })
  return new Map(
    stdout.split('\n').flatMap((line) => {
      const [blob = '', size = ''] = line.split(' ')
      return /^\d+$/.test(size) ? [[blob, Number(size)] as const] : []
    }),
  )
}

/** What the commits after `from` add, as text; binary files and what goes beyond the cap are not in it. */
export async function addedTexts(reader: GitReader, from: string): Promise<AddedText[]> {
  const first = await commitId(reader, from)
  if (first === undefined) return []
  const args = ['log', '-p', '-U0', '-m', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames']
  const { stdout } = await reader.pipe(
    [...args, '--format=commit %H', `${first}..HEAD`, ...reader.withoutOwn],
    {
      capBytes: addedCapBytes,
    },
  )
  return readAdded(stdout)
}

function readAdded(output: string): AddedText[] {
  const texts = new Map<string, { sha: string; path: string; lines: string[] }>()
  let sha = ''
  let path = ''
  for (const line of output.split('\n')) {
    if (line.startsWith('commit ')) sha = line.slice('commit '.length).trim()
    else if (line.startsWith('+++ '))
      path = line
        .slice(4)
        .replace(/^"?b\//, '')
        .replace(/["\t]$/, '')
    else if (line.startsWith('+')) {
      const key = `${sha} ${path}`
      const known = texts.get(key) ?? { sha, path, lines: [] }
      known.lines.push(line.slice(1))
      texts.set(key, known)
    }
  }
  return [...texts.values()].map(({ lines, ...rest }) => ({ ...rest, text: lines.join('\n') }))
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
  const output = await reader.read(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit])
  return nulList(output).filter((path) => !reader.isOwn(path))
}

/** Content of a file in a commit, at most 5 MB of it; undefined where the commit does not have it. */
export async function textAt(reader: GitReader, commit: string, path: string): Promise<string | undefined> {
  const id = await commitId(reader, commit)
  if (id === undefined || path.includes('\0')) return undefined
  const found = await reader.pipe(['cat-file', 'blob', `${id}:${path}`], { capBytes: 5 * 1024 * 1024 })
  return found.code === 0 ? found.stdout : undefined
}
