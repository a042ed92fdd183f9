import { attemptTrailer } from '../../project/git-commit.js'
import {
  callGit,
  openPrivateRepository,
  type PrivateRepository,
} from '../../project/snapshot/private-repository.js'
import type { Snapshot, SnapshotPlace } from '../../project/snapshot/snapshot-types.js'
import type { Finding } from './judge.js'

// Which commits a dispatch has made, read in the repository of the snapshots, so that nothing of the project is executed.

export interface CommitsMade {
  /** Repo-relative paths in them, each once. */
  paths: string[]
  /** What somebody has to know of. */
  doubts: Finding[]
}

interface Commit {
  id: string
  subject: string
  /** Value of our own trailer; empty where there is none. */
  trailer: string
  paths: string[]
}

const mostCommits = 2_000

/** Commits between two snapshots that no ref held before. */
export async function commitsMade(
  place: SnapshotPlace,
  pair: { before: Snapshot; after: Snapshot; refs: readonly string[] },
): Promise<CommitsMade> {
  const { before, after, refs } = pair
  if (after.head === null || after.head === before.head) return { paths: [], doubts: [] }
  const repo = await openPrivateRepository(place)
  const commits = await readCommits(repo, after.head, [before.head, ...refs])
  return { paths: [...new Set(commits.flatMap(({ paths }) => paths))], doubts: commits.flatMap(doubtsOf) }
}

async function readCommits(
  repo: PrivateRepository,
  to: string,
  known: readonly (string | null)[],
): Promise<Commit[]> {
  const without = known.flatMap((id) => (id !== null && /^[0-9a-f]{40,64}$/.test(id) ? [`^${id}`] : []))
  const format = `--format=%x01%H%x1f%s%x1f%(trailers:key=${attemptTrailer},valueonly,separator=%x2C)%x02`
  const args = ['log', '-z', '--raw', '-r', '-m', '--root', '--no-renames', '--no-abbrev', format]
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
      return { id, subject, trailer: trailer.trim(), paths: pathsIn(block.slice(end + 1)) }
    })
}

function pathsIn(raw: string): string[] {
  const fields = raw.split('\0').map((field) => field.replace(/^\n+/, ''))
  return fields.flatMap((field, at) => (field.startsWith(':') ? [fields[at + 1] ?? ''] : []))
}

/** What the files of a commit hold is looked at with the other claims (claims/commits.ts). */
function doubtsOf({ id, subject, trailer }: Commit): Finding[] {
  if (trailer === '' && !subject.startsWith('[autopilot]')) return []
  const name = `${id.slice(0, 7)} ${subject}`
  return [
    { name, change: 'committed', why: 'a commit in the name of autopilot that it did not make', by: 'agent' },
  ]
}
