import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import type { CommandResult } from '../processes/commands.js'
import { type CommitResult, commitFailure, failed, failureKind, told } from './git-commit-result.js'
import { activeHooks, confinedHooks } from './git-hooks.js'
import { makeCommitList } from './git-list.js'
import { attemptTrailer, findMade, pathsOfCommit, stalePaths } from './git-made.js'
import { plainHead } from './git-plain.js'
import { commitId, type GitReader, nulList } from './git-read.js'
import { findIndexLock, findInProgress, unmergedPaths } from './git-start.js'
import { type CommitLimits, nulJoined, runWrite } from './git-write.js'

// One checkpoint commit: docs/durability.md, "Commits".

export interface CommitRequest {
  /** Files, relative to the root. What did not change, or may not be committed, is left out. */
  paths: string[]
  message: string
  /** Found again in the trailer `Autopilot-Attempt` after a crash. */
  attemptId: string
  skipHooks?: boolean
  /** Where HEAD was when the paths were chosen; anything else is refused as 'head-moved'. */
  expected?: { head: string | null; branch: string | null }
  /** The first commit of a repository, which may hold nothing; any other one needs a commit to build on. */
  first?: boolean
}

/** What came of it, and the paths for which the user's index has to follow HEAD, whatever came of it. */
export interface MadeCommit {
  result: CommitResult
  moved: string[]
}

export async function makeCommit(
  reader: GitReader,
  request: CommitRequest,
  limits: CommitLimits,
): Promise<MadeCommit> {
  const refused = await refusal(reader, request)
  if (refused) return { result: refused, moved: [] }
  const head = (await commitId(reader, 'HEAD')) ?? null
  const unfit = misplaced(head, request)
  if (unfit) return { result: unfit, moved: [] }
  const scratch = await mkdtemp(join(tmpdir(), 'autopilot-commit-'))
  try {
    const result = await commitFrom(reader, request, limits, { head, scratch })
    if (((await commitId(reader, 'HEAD')) ?? null) === head) return { result, moved: [] }
    // Hooks may have committed more than what is ours.
    const own = result.committed === true ? await pathsOfCommit(reader, result.sha) : []
    const wanted = new Set(request.paths.map((path) => posix.normalize(path)))
    const added = own.filter((path) => !wanted.has(path))
    if (result.committed === true && added.length > 0) result.added = added
    return { result, moved: [...new Set([...own, ...(await stalePaths(reader, head))])] }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function misplaced(head: string | null, { first }: CommitRequest): CommitResult | undefined {
  if (!head && !first) return failed('other', 'The repository has no commit to build on.')
  return head && first ? failed('head-moved', `There is a commit already: ${head}.`) : undefined
}

async function refusal(reader: GitReader, request: CommitRequest): Promise<CommitResult | undefined> {
  const operation = await findInProgress(reader)
  if (operation)
    return failed('in-progress', `A ${operation} is in progress; a commit now would conclude it.`)
  const conflicts = await unmergedPaths(reader)
  if (conflicts.length > 0) return failed('in-progress', `Unresolved conflicts: ${conflicts.join(', ')}`)
  const lock = await findIndexLock(reader)
  if (lock) return failed('index-lock', `${lock} exists: another git command runs, or died.`)
  if (!request.expected) return undefined
  const head = (await commitId(reader, 'HEAD')) ?? null
  const branch = await readBranch(reader)
  if (head === request.expected.head && branch === request.expected.branch) return undefined
  return failed('head-moved', `Expected ${place(request.expected)}, found ${place({ head, branch })}.`)
}

function place(at: { head: string | null; branch: string | null }): string {
  return `${at.branch ?? 'a detached HEAD'} at ${at.head ?? 'no commit'}`
}

/** Name of the current branch, null when HEAD is detached. */
export async function readBranch(reader: GitReader): Promise<string | null> {
  const head = await plainHead(reader.root)
  if (head !== undefined) return head.branch
  return (await reader.tryRead(['symbolic-ref', '-q', '--short', 'HEAD']))?.trim() || null
}

async function commitFrom(
  reader: GitReader,
  request: CommitRequest,
  limits: CommitLimits,
  { head, scratch }: { head: string | null; scratch: string },
): Promise<CommitResult> {
  // A private index: what the user staged stays out of the commit and stays staged.
  const index = { GIT_INDEX_FILE: join(scratch, 'index') }
  const write = async (args: string[], input?: string) =>
    await runWrite(reader.root, args, limits, { env: index, input })

  const base = head ?? (await emptyTree(reader))
  const read = await write(['read-tree', base])
  if (read.code !== 0) return failed('other', told(read))
  const list = await makeCommitList(reader, request.paths, index)
  const leftOut = list.leftOut.length > 0 ? list.leftOut : undefined
  const staged = await stage(write, list)
  if (staged) return staged

  const changed = await reader.pipe(['diff', '--cached', '--name-only', '-z', '--no-renames', base, '--'], {
    env: index,
  })
  if (changed.code !== 0 || changed.truncated) return failed('other', told(changed))
  const wanted = new Set([...list.present, ...list.gone])
  const stray = nulList(changed.stdout).filter((path) => !wanted.has(path))
  if (stray.length > 0) return failed('other', `git staged more than was asked for: ${stray.join(', ')}`)
  if (changed.stdout === '' && head) return { committed: false, message: 'nothing to commit', leftOut }

  const tree = await write(['write-tree'])
  if (tree.code !== 0) return failed('other', told(tree))
  const message = withTrailer(request.message, request.attemptId)
  const file = join(scratch, 'message')
  await writeFile(file, message, { mode: 0o600 })
  const hooks = request.skipHooks ? [] : await activeHooks(reader)
  if (((await commitId(reader, 'HEAD')) ?? null) !== head)
    return failed('head-moved', 'HEAD moved while files were staged.')
  const hooksPath = request.skipHooks
    ? '/dev/null'
    : await confinedHooks(reader, limits.confineHooks, scratch)
  const result = await write([
    // --no-verify alone still runs some of the hooks.
    ...(hooksPath === undefined ? [] : ['-c', `core.hooksPath=${hooksPath}`]),
    'commit',
    '-q',
    '--cleanup=whitespace',
    ...(request.skipHooks ? ['--no-verify'] : []),
    ...(head === null ? ['--allow-empty'] : []),
    '-F',
    file,
  ])
  const after = await commitId(reader, 'HEAD')
  if (!after || after === head) return commitFailure(result, hooks, limits.commitMs)
  const { attemptId } = request
  // Ended in a hook behind the commit, it has no exit code.
  const hasFailed = result.code !== 0 && result.code !== null
  const sha = await findMade(reader, { from: head, tree: tree.stdout.trim(), attemptId, failed: hasFailed })
  if (sha === undefined) {
    return failed(
      'head-moved',
      `HEAD is now ${after}, and the commit that was to be made is not below it.\n${told(result)}`,
    )
  }
  const subject = message.split('\n', 1)[0] ?? ''
  return { committed: true, sha, message: subject, leftOut }
}

/** Id of the tree that holds nothing, in the hash of this repository. */
async function emptyTree(reader: GitReader): Promise<string> {
  const result = await reader.pipe(['hash-object', '-t', 'tree', '--stdin'], { input: '' })
  return result.stdout.trim()
}

type Write = (args: string[], input?: string) => Promise<CommandResult>

async function stage(
  write: Write,
  list: { present: string[]; gone: string[] },
): Promise<CommitResult | undefined> {
  if (list.gone.length > 0) {
    const removed = await write(['update-index', '--force-remove', '-z', '--stdin'], nulJoined(list.gone))
    if (removed.code !== 0) return failed(failureKind(removed), told(removed))
  }
  if (list.present.length > 0) {
    const args = [
      '--literal-pathspecs',
      'add',
      '-A',
      '--sparse',
      '--pathspec-from-file=-',
      '--pathspec-file-nul',
    ]
    const added = await write(args, nulJoined(list.present))
    if (added.code !== 0) return failed(failureKind(added), told(added))
  }
  return undefined
}

/** The message as git will keep it, with the attempt in its block of trailers. */
export function withTrailer(message: string, attemptId: string): string {
  const text = message.replaceAll('\0', '').replaceAll('\r\n', '\n').trim() || '[autopilot] Checkpoint'
  const blocks = text.split(/\n\s*\n/)
  const last = blocks.at(-1) ?? ''
  const inTrailers = blocks.length > 1 && last.split('\n').every((line) => /^[A-Za-z0-9-]+: \S/.test(line))
  return `${text}\n${inTrailers ? '' : '\n'}${attemptTrailer}: ${attemptId}\n`
}
