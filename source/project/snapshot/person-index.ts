import { randomUUID } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { copyFile, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type IndexEntry, readIndex, writeIndex } from './index-file.js'
import { pathOfBytes } from './path-bytes.js'
import { readPlain, readPlainText } from './plain-read.js'
import { mustGit, type PrivateRepository } from './private-repository.js'
import { writeWhole } from './store.js'

// The person's index: what is staged, and the bits that hide changes. It is read as a file, and git is asked only when it
// has changed since the last snapshot.

export interface PersonIndex {
  /** What differs from HEAD: path to `mode id` of its entries. */
  staged: Record<string, string>
  assumeUnchanged: string[]
  skipWorktree: string[]
}

interface Kept extends PersonIndex {
  stamp: string
}

const none: PersonIndex = { staged: {}, assumeUnchanged: [], skipWorktree: [] }

/** Reads what is staged against `head`, from what is kept where the index is still the same file. */
export async function readPersonIndex(repo: PrivateRepository, head: string | null): Promise<PersonIndex> {
  const path = join(repo.gitDir, 'index')
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stats?.isFile()) return none
  const { ino, size, mtimeNs, ctimeNs } = stats
  const stamp = [head, path, ino, size, mtimeNs, ctimeNs].join(' ')
  const place = join(repo.dir, 'person-index.json')
  const kept = await keptAt(place)
  if (kept?.stamp === stamp) return withoutStamp(kept)
  const entries = await entriesOf(repo)
  const paths = (bit: 'assumeUnchanged' | 'skipWorktree') =>
    entries.filter((entry) => entry[bit]).map((entry) => pathOfBytes(entry.raw))
  const index: PersonIndex = {
    staged: await stagedAgainst(repo, head, entries),
    assumeUnchanged: paths('assumeUnchanged'),
    skipWorktree: paths('skipWorktree'),
  }
  // Written less than two ticks ago it could change again without a new stamp.
  const settled = BigInt(Date.now()) * 1_000_000n - ctimeNs > 50_000_000n
  if (settled) await writeWhole(place, JSON.stringify({ stamp, ...index } satisfies Kept))
  return index
}

function withoutStamp({ stamp: _, ...index }: Kept): PersonIndex {
  return index
}

async function keptAt(place: string): Promise<Kept | undefined> {
  try {
    return JSON.parse(await readPlainText(place)) as Kept
  } catch {
    // Not there yet, or torn: it is made anew.
    return undefined
  }
}

/** All entries of the person's index. One that is split or sparse is written out in a copy first. */
export async function entriesOf(repo: PrivateRepository): Promise<IndexEntry[]> {
  const bytes = await readPlain(join(repo.gitDir, 'index'))
  if (bytes === undefined) return []
  const entries = await readIndex(bytes, repo.idBytes)
  if (entries !== undefined) return entries
  const copy = join(repo.dir, `person-index-${randomUUID()}`)
  await copyFile(join(repo.gitDir, 'index'), copy)
  for (const name of await readdir(repo.gitDir)) {
    if (name.startsWith('sharedindex.')) await copyFile(join(repo.gitDir, name), join(repo.dir, name))
  }
  await mustGit(repo, ['update-index', '--no-split-index', '--force-write-index', '--index-version', '2'], {
    env: { GIT_INDEX_FILE: copy },
  })
  const whole = await readIndex(await readFile(copy), repo.idBytes)
  await rm(copy, { force: true })
  return whole ?? []
}

async function stagedAgainst(
  repo: PrivateRepository,
  head: string | null,
  entries: readonly IndexEntry[],
): Promise<Record<string, string>> {
  const tree = head ?? (await emptyTree(repo))
  const copy = join(repo.dir, 'staged-index')
  // Conflicts have no place in a comparison of two states of one path; they are listed by their stages below.
  const plain = entries.filter((entry) => entry.stage === 0 && !entry.intent)
  await writeWhole(copy, await writeIndex(plain, repo.idBytes))
  const args = ['diff-index', '--cached', '--raw', '--no-renames', '--no-abbrev', '-z', tree, '--']
  const output = await mustGit(repo, args, { env: { GIT_INDEX_FILE: copy } })
  await rm(copy, { force: true })
  const staged: Record<string, string> = {}
  const records = output.toString('latin1').split('\0')
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [, mode = '', , id = ''] = (records[at] ?? '').split(' ')
    staged[pathOfBytes(records[at + 1] ?? '')] = `${mode} ${id}`
  }
  for (const entry of entries) {
    if (entry.stage === 0 && !entry.intent) continue
    const path = pathOfBytes(entry.raw)
    const word = `${entry.mode.toString(8)} ${entry.oid} ${entry.intent ? 'intent' : entry.stage}`
    const known = staged[path]
    staged[path] = known !== undefined && / [123]$/.test(known) ? `${known};${word}` : word
  }
  return staged
}

/** Id of the tree without entries, which is made where it is missing. */
export async function emptyTree(repo: PrivateRepository): Promise<string> {
  const made = await mustGit(repo, ['hash-object', '-w', '-t', 'tree', '--stdin'], { input: '' })
  return made.toString('latin1').trim()
}
