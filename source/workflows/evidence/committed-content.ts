import { basename } from 'node:path'
import { counted } from '../../counted.js'
import { largestFileBytes } from '../../project/git.js'
import { isPublicKey, secretsIn, suspiciousName } from '../../project/secrets.js'
import { callGit, isOwnPath, type PrivateRepository } from '../../project/snapshot/private-repository.js'
import type { Finding } from './judge.js'

// What agents commit gets the look that our own commits get: every commit, not only the final difference
// (docs/evidence.md, "Claims").

/** One file of a commit. Of a merge, only what is in none of its parents. */
export interface CommittedFile {
  path: string
  /** Ids of the content; null where the commit takes the file away. `before`: in each parent that has it. */
  blob: string | null
  before: string[]
  /** Another repository stands there. */
  nested?: true
}

export interface Commit {
  id: string
  subject: string
  /** With its subject. */
  message: string
  /** Value of our own trailer; empty where there is none. */
  trailer: string
  files: CommittedFile[]
}

/** Names that show what a secret file would look like, without holding one. */
const sample = /\.(?:example|sample|template|dist)$/i

/** So much is read at once, and in all; what goes beyond is told. */
const chunkBytes = 16 * 1024 * 1024
const mostBytes = 256 * 1024 * 1024

/** Secret-looking files, files over 5 MB, and files that were dirty before; the oldest commit of each is named. */
export async function contentDoubts(
  repo: PrivateRepository,
  commits: readonly Commit[],
  beforehand: ReadonlySet<string>,
): Promise<Finding[]> {
  const all = commits.flatMap(({ id, files }) =>
    files
      .filter(({ path }) => !isOwnPath(repo.place, path))
      .map((file) => ({ ...file, commit: id.slice(0, 7) })),
  )
  if (all.length === 0) return []
  const sizes = await sizesOf(
    repo,
    all.flatMap(({ blob, before }) => [...(blob === null ? [] : [blob]), ...before]),
  )
  const { values, open, unread } = await readValues(repo, all, sizes)
  const found = new Map<string, Finding>()
  for (const file of all) {
    for (const why of doubtsOf(file, { sizes, values, open, beforehand })) {
      const name = `${file.path} in ${file.commit}`
      found.set(`${file.path}\0${why}`, { name, change: 'committed', why, by: 'agent' })
    }
  }
  if (unread > 0) {
    const why = 'more was committed than is looked through for secrets'
    found.set('', { name: counted(unread, 'file'), change: 'committed', why, by: 'agent' })
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

interface Read {
  sizes: ReadonlyMap<string, number>
  /** By blob: what looks like a secret in it, as kind and value. */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Blobs that hold nothing but certificates and public keys. */
  open: ReadonlySet<string>
  beforehand: ReadonlySet<string>
}

function doubtsOf(
  { path, blob, before }: CommittedFile,
  { sizes, values, open, beforehand }: Read,
): string[] {
  const dirty = beforehand.has(path) ? ['it had uncommitted changes of yours before'] : []
  if (blob === null) return dirty
  const name = basename(path)
  const known = new Set(before.flatMap((one) => [...(values.get(one)?.keys() ?? [])]))
  const kinds = [...(values.get(blob) ?? [])].flatMap(([value, kind]) => (known.has(value) ? [] : [kind]))
  return [
    ...dirty,
    ...(suspiciousName(name) && !sample.test(name) && !open.has(blob)
      ? ['it has the name of a secret file']
      : []),
    ...((sizes.get(blob) ?? 0) > largestFileBytes ? ['it is larger than 5 MB'] : []),
    ...[...new Set(kinds)].map((kind) => `it holds what looks like a secret (${kind})`),
  ]
}

async function sizesOf(repo: PrivateRepository, blobs: readonly string[]): Promise<Map<string, number>> {
  const listed = await callGit(repo, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    input: inputOf(blobs),
  })
  return new Map(
    listed.stdout
      .toString('latin1')
      .split('\n')
      .flatMap((line) => {
        const [blob = '', size = ''] = line.split(' ')
        return /^\d+$/.test(size) ? [[blob, Number(size)] as const] : []
      }),
  )
}

const inputOf = (blobs: readonly string[]) => [...new Set(blobs)].map((blob) => `${blob}\n`).join('')

/** Looks through everything that came, and what was there before where something is found. */
async function readValues(
  repo: PrivateRepository,
  files: readonly CommittedFile[],
  sizes: ReadonlyMap<string, number>,
): Promise<{ values: Map<string, Map<string, string>>; open: Set<string>; unread: number }> {
  const values = new Map<string, Map<string, string>>()
  const open = new Set<string>()
  const small = (blob: string) => (sizes.get(blob) ?? Number.POSITIVE_INFINITY) <= largestFileBytes
  const fresh = [...new Set(files.flatMap(({ blob }) => (blob !== null && small(blob) ? [blob] : [])))]
  const unread = await readInto(repo, fresh, { sizes, values, open })
  const suspected = files.filter(({ blob }) => blob !== null && (values.get(blob)?.size ?? 0) > 0)
  const old = [...new Set(suspected.flatMap(({ before }) => before.filter(small)))]
  await readInto(repo, old, { sizes, values, open })
  return { values, open, unread }
}

interface ReadBefore {
  sizes: ReadonlyMap<string, number>
  values: Map<string, Map<string, string>>
  open: Set<string>
}

/** Returns how many were left out for their size in all. */
async function readInto(
  repo: PrivateRepository,
  blobs: readonly string[],
  { sizes, values, open }: ReadBefore,
): Promise<number> {
  let all = 0
  let chunk: string[] = []
  let size = 0
  const look = async () => {
    if (chunk.length === 0) return
    const { stdout } = await callGit(repo, ['cat-file', '--batch'], { input: inputOf(chunk) })
    for (const [blob, text] of contentsIn(stdout)) {
      values.set(blob, secretsIn(text))
      if (isPublicKey(text)) open.add(blob)
    }
    chunk = []
    size = 0
  }
  for (const [at, blob] of blobs.entries()) {
    const bytes = sizes.get(blob) ?? 0
    all += bytes
    if (all > mostBytes) {
      await look()
      return blobs.length - at
    }
    if (size + bytes > chunkBytes) await look()
    chunk.push(blob)
    size += bytes
  }
  await look()
  return 0
}

/** Objects of any kind, bytes as characters; those that are not there are left out. */
export async function readObjects(
  repo: PrivateRepository,
  ids: readonly string[],
): Promise<[id: string, text: string][]> {
  if (ids.length === 0) return []
  const { stdout } = await callGit(repo, ['cat-file', '--batch'], { input: inputOf(ids) })
  return [...contentsIn(stdout)]
}

/** `id type size`, a line feed, so many bytes, a line feed. */
function* contentsIn(output: Buffer): Generator<[blob: string, text: string]> {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at)
    if (end === -1) return
    const [blob = '', , length = ''] = output.toString('latin1', at, end).split(' ')
    const size = /^\d+$/.test(length) ? Number(length) : undefined
    if (size !== undefined) yield [blob, output.toString('latin1', end + 1, end + 1 + size)]
    at = size === undefined ? end + 1 : end + 2 + size
  }
}
