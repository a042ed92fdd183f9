import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../counted.js'
import { unifiedDiff } from '../documents/diff.js'
import { readRegularText } from '../storage/read-file.js'
import { type GitReader, gitFailed, nulList } from './git-read.js'

// Changes as a person reads them; what decides is never read from here.

const asText = ['diff', '--no-ext-diff', '--no-textconv', '--no-color']

/** New files that are shown whole; the others are named. */
const mostNewFiles = 40

async function diffText(
  reader: GitReader,
  commits: readonly string[],
  capBytes: number,
  without: readonly string[] = [],
): Promise<string> {
  const args = [
    ...asText,
    ...commits,
    ...reader.withoutOwn,
    ...without.map((path) => `:(exclude,literal)${path}`),
  ]
  const result = await reader.pipe(args, { capBytes, keep: 'head' })
  if (result.code !== 0) throw gitFailed(`git diff failed: ${result.stderr.trim()}`)
  return result.truncated
    ? `${result.stdout}\n[the diff was cut after ${counted(capBytes, 'byte')}]\n`
    : result.stdout
}

/** The diff between two commits, cut after `capBytes` with a line that says so; without session files. */
export function readDiff(reader: GitReader, commits: [string, string], capBytes: number): Promise<string> {
  return diffText(reader, commits, capBytes)
}

/** What changed since a commit up to the files as they are now, new ones too; cut as above. */
export async function readDiffSince(reader: GitReader, from: string, capBytes: number): Promise<string> {
  // Of a pipe or a device in the place of a file git makes no difference, but an error of all.
  const odd = await changedButNoFiles(reader, from)
  const named = odd.map((path) => `diff --git a/${path} b/${path}\n[not shown: no regular file any more]\n`)
  const known = named.join('') + (await diffText(reader, [from], capBytes, odd))
  const listed = await reader.read(['ls-files', '--others', '--exclude-standard', '-z', ...reader.withoutOwn])
  const paths = nulList(listed)
  let text = known
  for (const path of paths.slice(0, mostNewFiles)) {
    if (text.length > capBytes) break
    text += await newFile(reader.root, path, capBytes - text.length)
  }
  const rest = paths.length - mostNewFiles
  return rest > 0 ? `${text}[${counted(rest, 'more new file is', 'more new files are')} not shown]\n` : text
}

async function changedButNoFiles(reader: GitReader, from: string): Promise<string[]> {
  const args = ['diff-index', '--name-only', '-z', '--no-renames', from, ...reader.withoutOwn]
  const changed = nulList(await reader.read(args))
  const isOdd = async (path: string) => {
    const stats = await lstat(join(reader.root, path)).catch(() => undefined)
    return stats !== undefined && !stats.isFile() && !stats.isSymbolicLink() && !stats.isDirectory()
  }
  const odd = await Promise.all(changed.map(isOdd))
  return changed.filter((_, index) => odd[index])
}

async function newFile(root: string, path: string, maxBytes: number): Promise<string> {
  const head = `diff --git a/${path} b/${path}\nnew file, not committed yet\n`
  const text = await readRegularText(path, { root, maxBytes }).catch(() => undefined)
  if (text === undefined || text.includes('\u0000')) return `${head}[not shown: no text, or too large]\n`
  return head + unifiedDiff(path, '', text)
}
