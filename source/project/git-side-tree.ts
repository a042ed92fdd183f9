import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandResult } from '../processes/commands.js'
import { withTrailer } from './git-commit.js'
import type { CommitFailure } from './git-commit-result.js'
import { commitId, type GitReader, gitFailed, nulList } from './git-read.js'
import { type CommitLimits, runWrite } from './git-write.js'

// Work on history in a work tree of its own, so that nothing half done ever stands in the person's: a conflict leaves
// no trace, and what came of it is taken over as a whole or not at all (docs/durability.md, "Commits").

export type SideFailure = Extract<
  CommitFailure,
  'identity' | 'in-progress' | 'index-lock' | 'head-moved' | 'other'
>

export type SideResult =
  | { done: true; sha: string }
  /** It would change nothing. */
  | { done: false }
  | { done: 'failed'; kind: SideFailure | 'conflict' | 'dirty'; paths: string[]; output: string }

/** Runs git in the side tree. */
export type SideGit = (args: string[], input?: string) => Promise<CommandResult>

/** Nothing of the repository runs in it: it is thrown away. */
const quiet = ['-c', 'core.hooksPath=/dev/null', '-c', 'rerere.enabled=false']

export interface SideWork {
  message: string
  attemptId: string
  /** Parents of the commit behind HEAD, such as a branch that is merged. */
  parents?: readonly string[]
  /** Leaves what is to be committed in the index of the side tree, or says what kept it from that. */
  work(git: SideGit): Promise<{ conflict: string[]; output: string } | undefined>
}

/** Does the work beside HEAD, commits it, and has HEAD, index and work tree follow. */
export async function inSideTree(
  reader: GitReader,
  limits: CommitLimits,
  side: SideWork,
): Promise<SideResult> {
  const head = await commitId(reader, 'HEAD')
  if (head === undefined) return failed('other', 'The repository has no commit.')
  const scratch = await mkdtemp(join(tmpdir(), 'autopilot-side-'))
  const tree = join(scratch, 'tree')
  const git: SideGit = (args, input) => runWrite(tree, [...quiet, ...args], limits, { input })
  const here: SideGit = (args, input) => runWrite(reader.root, [...quiet, ...args], limits, { input })
  try {
    const added = await here(['worktree', 'add', '-q', '--detach', tree, head])
    if (added.code !== 0) return failed('other', told(added))
    const stopped = await side.work(git)
    if (stopped) return { done: 'failed', kind: 'conflict', paths: stopped.conflict, output: stopped.output }
    const made = await commitIndex(git, head, side)
    return typeof made === 'string' ? await takeOver(here, head, made) : made
  } finally {
    await here(['worktree', 'remove', '--force', tree])
    await rm(scratch, { recursive: true, force: true })
    await here(['worktree', 'prune'])
  }
}

async function commitIndex(git: SideGit, head: string, side: SideWork): Promise<string | SideResult> {
  const written = await git(['write-tree'])
  if (written.code !== 0) return failed('other', told(written))
  const tree = written.stdout.trim()
  const before = await git(['rev-parse', `${head}^{tree}`])
  const parents = [head, ...(side.parents ?? [])]
  if (tree === before.stdout.trim() && parents.length === 1) return { done: false }
  // As the person's own commits are: git does not look for itself here.
  const signs = (await git(['config', '--type=bool', '--get', 'commit.gpgSign'])).stdout.trim() === 'true'
  const args = [
    'commit-tree',
    ...(signs ? ['-S'] : []),
    tree,
    ...parents.flatMap((parent) => ['-p', parent]),
    '-F',
    '-',
  ]
  const made = await git(args, withTrailer(side.message, side.attemptId))
  if (made.code === 0) return made.stdout.trim()
  const isNobody = /Please tell me who you are|empty ident name|unable to auto-detect/.test(told(made))
  return failed(isNobody ? 'identity' : 'other', told(made))
}

/** Index and files follow, then the branch. What is dirty and would be overwritten stops it before anything is written. */
async function takeOver(here: SideGit, head: string, sha: string): Promise<SideResult> {
  await here(['update-index', '-q', '--refresh'])
  const moved = await here(['read-tree', '-m', '-u', head, sha])
  if (moved.code !== 0) {
    const output = told(moved)
    if (/\.lock'?: File exists/.test(output)) return failed('index-lock', output)
    const paths = [
      ...output.matchAll(/(?:Entry|Untracked working tree file|Updating the following[^']*) '([^']+)'/g),
    ]
    return { done: 'failed', kind: 'dirty', paths: paths.map((match) => match[1] ?? ''), output }
  }
  const ref = await here(['update-ref', '-m', 'autopilot', 'HEAD', sha, head])
  return ref.code === 0 ? { done: true, sha } : failed('head-moved', told(ref))
}

/** Paths with conflicts in the side tree. */
export async function conflictsIn(git: SideGit): Promise<string[]> {
  const result = await git(['diff', '--name-only', '--diff-filter=U', '-z'])
  return nulList(result.stdout)
}

/** What git says, for somebody to read. */
export function told(result: CommandResult): string {
  return [result.stderr.trim(), result.stdout.trim()].filter((text) => text !== '').join('\n')
}

function failed(kind: SideFailure, output: string): Extract<SideResult, { done: 'failed' }> {
  return { done: 'failed', kind, paths: [], output }
}

/** Runs a writing command of git in the project itself; throws a Problem ('git') where it fails. */
export async function writeGit(reader: GitReader, limits: CommitLimits, args: string[]): Promise<string> {
  const result = await runWrite(reader.root, [...quiet, ...args], limits, {})
  if (result.code !== 0) throw gitFailed(`git ${args[0]} failed: ${told(result)}`)
  return result.stdout
}
