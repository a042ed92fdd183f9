import { attemptTrailer } from '../../project/git-made.js'
import {
  callGit,
  openPrivateRepository,
  type PrivateRepository,
} from '../../project/snapshot/private-repository.js'
import type { Snapshot, SnapshotPlace } from '../../project/snapshot/snapshot-types.js'
import { type Commit, type CommittedFile, contentDoubts } from './committed-content.js'
import type { Finding } from './judge.js'

// Which commits a dispatch has made, read in the repository of the snapshots, so that nothing of the project is executed.

export interface CommitsMade {
  /** Repo-relative paths in them, each once. */
  paths: string[]
  /** What somebody has to know of. */
  doubts: Finding[]
}

export interface CommitsAsked {
  before: Snapshot
  after: Snapshot
  /** Commits that were known before. */
  refs: readonly string[]
  /** Paths that were dirty before the work began and whose changes nobody has handed over. */
  beforehand: readonly string[]
}

const mostCommits = 2_000

/** Commits between two snapshots that no ref held before. */
export async function commitsMade(place: SnapshotPlace, asked: CommitsAsked): Promise<CommitsMade> {
  const { before, after, refs, beforehand } = asked
  if (after.head === null || after.head === before.head) return { paths: [], doubts: [] }
  const repo = await openPrivateRepository(place)
  const commits = await readCommits(repo, after.head, [before.head, ...refs])
  return {
    paths: [...new Set(commits.flatMap(({ files }) => files.map(({ path }) => path)))],
    doubts: [...commits.flatMap(nameDoubts), ...(await contentDoubts(repo, commits, new Set(beforehand)))],
  }
}

/** Newest first. */
async function readCommits(
  repo: PrivateRepository,
  to: string,
  known: readonly (string | null)[],
): Promise<Commit[]> {
  const without = known.flatMap((id) => (id !== null && /^[0-9a-f]{40,64}$/.test(id) ? [`^${id}`] : []))
  const format = `--format=%x01%H%x1f%s%x1f%(trailers:key=${attemptTrailer},valueonly,separator=%x2C)%x02`
  const args = ['log', '-z', '--raw', '-r', '-c', '--root', '--no-renames', '--no-abbrev', format]
  const listed = await callGit(repo, [...args, `--max-count=${mostCommits}`, '--ignore-missing', '--stdin'], {
    input: [to, ...new Set(without), '--', ''].join('\n'),
  })
  if (listed.code !== 0) return []
  return listed.stdout
    .toString('utf8')
    .split('\x01')
    .slice(1)
    .map((block) => {
      const end = block.indexOf('\x02')
      const [id = '', subject = '', trailer = ''] = block.slice(0, end).split('\x1f')
      return { id, subject, trailer: trailer.trim(), files: filesIn(block.slice(end + 1)) }
    })
}

const isGone = (blob: string) => /^0+$/.test(blob)
const submodule = '160000'

/** `:mode mode blob blob M`, and of a merge a colon, a mode and a blob more for each parent; then the path. */
function filesIn(raw: string): CommittedFile[] {
  const fields = raw.split('\0').map((field) => field.replace(/^\n+/, ''))
  return fields.flatMap((field, at) => {
    const parents = /^:+/.exec(field)?.[0].length
    if (parents === undefined) return []
    const words = field.slice(parents).split(' ')
    const mode = words[parents]
    const blobs = words.slice(parents + 1, 2 * parents + 2)
    const blob = blobs.at(-1) ?? ''
    const before = blobs.slice(0, -1).filter((one) => !isGone(one))
    const content = isGone(blob) || mode === submodule ? null : blob
    return [{ path: fields[at + 1] ?? '', blob: content, before }]
  })
}

function nameDoubts({ id, subject, trailer }: Commit): Finding[] {
  if (trailer === '' && !subject.startsWith('[autopilot]')) return []
  const name = `${id.slice(0, 7)} ${subject}`
  return [
    { name, change: 'committed', why: 'a commit in the name of autopilot that it did not make', by: 'agent' },
  ]
}
