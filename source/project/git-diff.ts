import { counted } from '../counted.js'
import { unifiedDiff } from '../documents/diff.js'
import { readRegularText } from '../storage/read-file.js'
import { type GitReader, gitFailed, nulList } from './git-read.js'

// Changes as a person reads them; what decides is never read from here.

const asText = ['diff', '--no-ext-diff', '--no-textconv', '--no-color']

/** New files that are shown whole; the others are named. */
const mostNewFiles = 40

async function diffText(reader: GitReader, commits: readonly string[], capBytes: number): Promise<string> {
  const args = [...asText, ...commits, ...reader.withoutOwn]
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
  const known = await diffText(reader, [from], capBytes)
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

async function newFile(root: string, path: string, maxBytes: number): Promise<string> {
  const head = `diff --git a/${path} b/${path}\nnew file, not committed yet\n`
  const text = await readRegularText(path, { root, maxBytes }).catch(() => undefined)
  if (text === undefined || text.includes('\u0000')) return `${head}[not shown: no text, or too large]\n`
  return head + unifiedDiff(path, '', text)
}
