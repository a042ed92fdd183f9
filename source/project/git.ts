import { join } from 'node:path'
import type { Problem } from '../problem.js'
import type { Confinement } from '../processes/confine/confinement.js'
import { type GitCalls, openGitCalls } from './git-calls.js'
import { type CommitRequest, makeCommit, readBranch } from './git-commit.js'
import type { CommitResult } from './git-commit-result.js'
import { readDiff, readDiffSince } from './git-diff.js'
import { type GivenBack, giveBackFrom } from './git-give-back.js'
import {
  addedFiles,
  type CommitContent,
  changedFrom,
  changedLines,
  commitContents,
  filesWith,
  lostPaths,
  movedFrom,
  pathsAt,
  textAt,
} from './git-history.js'
import { findAttempt, pathsOfCommit, stalePaths } from './git-made.js'
import { isLooseCommit } from './git-plain.js'
import { commitId, GitExit, type GitReader, gitFailed, nulList, openReader } from './git-read.js'
import { branchHere, putAsideUnder, type RevertRequest, revertCommits } from './git-revert.js'
import type { SideResult } from './git-side-tree.js'
import { findInProgress, findStartDoubts, findStartProblems, readVersion } from './git-start.js'
import { type Changes, compareDirty, contentHash, type DirtyPath, readDirty } from './git-status.js'
import { dropTags, setTag } from './git-tags.js'
import {
  addWorktree,
  dropWorktree,
  isWorktreeDirty,
  listBranches,
  listWorktrees,
  type MergeRequest,
  type MergeResult,
  mergeBranch,
  type Worktree,
} from './git-worktrees.js'
import { type CommitLimits, commitLimits, syncIndex } from './git-write.js'
import { type SecretHit, scanForSecrets } from './secrets.js'

export type { CommitRequest } from './git-commit.js'
export type { CommitFailure, CommitResult } from './git-commit-result.js'
export type { CommitContent } from './git-history.js'
export { type LeftOut, largestFileBytes } from './git-list.js'
export type { RevertRequest } from './git-revert.js'
export type { SideResult } from './git-side-tree.js'
export type { Changes, DirtyPath } from './git-status.js'
export type { MergeRequest, MergeResult, Worktree } from './git-worktrees.js'

export interface LoggedCommit {
  sha: string
  subject: string
  body: string
}

export interface DatedCommit {
  sha: string
  subject: string
  /** ISO time at which it was made. */
  at: string
}

/**
 * The repository of a project (docs/durability.md, "Calls to git"). Only to be asked after the project is
 * trusted: even reading runs the filters of the repository. Every method throws a Problem ('git') when git gives no
 * answer.
 */
export interface Git {
  /** Id of the commit at HEAD; null before the first one. */
  head(): Promise<string | null>
  /** Name of the branch; null when HEAD is detached. */
  branch(): Promise<string | null>
  /** Version of git; null when it is not installed. */
  version(): Promise<string | null>
  /** Everything that stops a start. */
  startProblems(): Promise<Problem[]>
  /** What a person should decide about before a start. */
  startDoubts(): Promise<Problem[]>
  /** An unfinished operation, such as `merge` or `rebase`. */
  inProgress(): Promise<string | null>
  /** Paths that differ from HEAD, untracked ones too; sorted, without session files. */
  dirty(): Promise<DirtyPath[]>
  /** Paths that are dirty now with another hash than in `before`. */
  changedSince(before: DirtyPath[]): Promise<Changes>
  /** Commits exactly these paths as they are in the working tree. */
  commit(request: CommitRequest): Promise<CommitResult>
  /**
   * The commit of this attempt after a crash, searched from `sinceCommit` (exclusive): by its trailer; where a hook took
   * that away, the one that changes none but `paths`.
   */
  findAttempt(
    attemptId: string,
    sinceCommit: string | null,
    paths?: readonly string[],
  ): Promise<string | null>
  /**
   * Only the last step of a commit: the user's index follows HEAD for what it changed, and for what hooks committed behind
   * it since `sinceCommit`.
   */
  finishAttempt(sha: string, sinceCommit: string | null): Promise<void>
  /** True if this is the id of a commit that can be read. */
  exists(sha: string): Promise<boolean>
  /** Paths that differ between two commits, both names of a rename; without session files. */
  changedFiles(from: string, to?: string): Promise<string[]>
  hasDiff(from: string, to?: string): Promise<boolean>
  /** Commits after `from` up to `to`, newest first. */
  log(from: string, to?: string): Promise<LoggedCommit[]>
  /** Commits after `from` up to HEAD, oldest first, at most the newest `most`. */
  commitTimes(from: string, most: number): Promise<DatedCommit[]>
  /** Commits after `from` up to HEAD, newest first, with the files of each. */
  commitContents(from: string): Promise<CommitContent[]>
  /** Paths whose content in the work tree is not that of the commit, untracked ones too; without session files. */
  changedFrom(commit: string): Promise<string[]>
  /** Files of a commit. */
  pathsAt(commit: string): Promise<string[]>
  /** Of these paths, those that a commit has and the work tree has not: a file, or the directory of a submodule. */
  lostPaths(commit: string, paths: readonly string[]): Promise<string[]>
  /** Files of a commit that lie under another name now, with that name. */
  movedFrom(commit: string): Promise<Map<string, string>>
  /** A file of a commit as text; undefined where the commit has none. */
  textAt(commit: string, path: string): Promise<string | undefined>
  /** As `DirtyPath.hash`, of any path of the project. */
  contentHash(path: string): Promise<string | null>
  /** The diff as text, cut after `capBytes` with a line that says so; without session files. */
  diff(from: string, to: string, capBytes: number): Promise<string>
  /** The same from a commit to the files as they are now, new ones too: for a person to read. */
  diffSince(from: string, capBytes: number): Promise<string>
  /** Full id of the commit that a revision names, null if it names none. */
  resolveRevision(text: string): Promise<string | null>
  /** Files among these that look as if they held a secret. The value is never given away. */
  secretsIn(paths: string[]): Promise<SecretHit[]>
  /** True for a commit that HEAD comes after, or is. */
  isAncestor(sha: string): Promise<boolean>
  /** Lines added and removed between a commit and HEAD. */
  changedLines(from: string): Promise<number>
  /** Files that came between a commit and HEAD. */
  addedFiles(from: string): Promise<string[]>
  /** Text files of the work tree that git knows and that hold a word. */
  filesWith(word: string): Promise<string[]>
  /** Makes a tag of this name, or moves it there. No hook runs. */
  setTag(name: string, sha: string): Promise<void>
  /** Takes away the tags whose names begin so. */
  dropTags(prefix: string): Promise<void>
  /** One commit that takes others back; history stays. A conflict, or a dirty file in the way, changes nothing. */
  revert(request: RevertRequest): Promise<SideResult>
  /** Makes a branch at HEAD, numbered where its name is taken; returns its name. */
  branchHere(name: string): Promise<string>
  /** Keeps uncommitted changes of these paths under `prefix/<n>` and gives the files their committed content. */
  putAside(paths: readonly string[], prefix: string): Promise<string | null>
  /** Brings that back where nobody has changed the file since; twice comes to the same. */
  giveBack(ref: string): Promise<GivenBack>
  worktrees(): Promise<Worktree[]>
  /** Makes a work tree (repo-relative path) on a new branch. */
  addWorktree(tree: { path: string; branch: string; from: string }): Promise<void>
  /** Takes a work tree away, and the branch that is named; its commits stay under a ref. */
  dropWorktree(tree: { path: string; branch?: string; force?: boolean }): Promise<void>
  /** Names of all branches. */
  branches(): Promise<string[]>
  isWorktreeDirty(path: string): Promise<boolean>
  /** Merges a branch into HEAD as one commit. A conflict, or a dirty file in the way, changes nothing. */
  merge(request: MergeRequest): Promise<MergeResult>
}

export interface GitOptions extends Partial<CommitLimits> {
  /** Repo-relative directories of sessions, which are no change of the project and never enter a commit. */
  ownPaths?: readonly string[]
  /** Looks before every call whether git may be started here, and throws where not. */
  guard?: () => Promise<void>
  /** Where calls are told while they are under way, and ended from. */
  calls?: GitCalls
  /** What hooks of our commits are kept to; the paths they must be able to write beside it are handed in. */
  confineHooks?: ((writable: readonly string[]) => Confinement | undefined) | undefined
}

/** Opens the repository at `root`, the directory that holds `.git`. Nothing is executed until a method is called. */
export function openGit(root: string, options: GitOptions = {}): Git {
  const { ownPaths, guard, confineHooks, calls = openGitCalls(), ...limits } = options
  const reader = openReader(root, { ...(ownPaths ? { ownPaths } : {}), guard, calls })
  const bounds = { ...commitLimits, ...limits, guard, confineHooks, calls }
  const inTurn = turns()
  const unsynced = new Set<string>()

  const sync = async (paths: string[]) => {
    for (const path of paths) unsynced.add(path)
    const trouble = await syncIndex(root, [...unsynced], bounds)
    if (trouble === undefined) unsynced.clear()
    return trouble
  }

  const git: Git = {
    head: async () => (await commitId(reader, 'HEAD')) ?? null,
    branch: async () => await readBranch(reader),
    version: async () => await readVersion(reader),
    startProblems: async () => await findStartProblems(reader),
    startDoubts: async () => await findStartDoubts(reader),
    inProgress: async () => await findInProgress(reader),
    dirty: async () => await inTurn(async () => await readDirty(reader)),
    changedSince: async (before) => compareDirty(before, await git.dirty()),
    commit: async (request) =>
      await inTurn(async () => {
        // Left over from a commit whose index another git command held until now.
        if (unsynced.size > 0) await sync([])
        const { result, moved } = await makeCommit(reader, request, bounds)
        const trouble = await sync(moved)
        if (trouble === undefined || result.committed !== true) return result
        return { ...result, message: `${result.message} (the index could not follow yet: ${trouble})` }
      }),
    findAttempt: async (attemptId, since, paths) => await findAttempt(reader, attemptId, since, paths),
    finishAttempt: async (sha, since) =>
      await inTurn(async () => {
        const base = since === null ? undefined : await commitId(reader, since)
        const stale = await stalePaths(reader, base ?? null)
        const trouble = await sync([...new Set([...(await pathsOfCommit(reader, sha)), ...stale])])
        if (trouble !== undefined) throw gitFailed(`The index of git could not be updated: ${trouble}`)
      }),
    exists: async (sha) => {
      if (!/^[0-9a-f]{4,64}$/i.test(sha)) return false
      if (await isLooseCommit(root, sha)) return true
      return (await reader.tryRead(['cat-file', '-e', `${sha}^{commit}`])) !== undefined
    },
    changedFiles: async (from, to = 'HEAD') => {
      const args = ['diff', '--no-ext-diff', '--no-textconv', '--name-only', '-z', '--no-renames']
      const between = await range(reader, from, to)
      return nulList(await reader.readFixed([...args, ...between, ...reader.withoutOwn]))
    },
    hasDiff: async (from, to = 'HEAD') => (await git.changedFiles(from, to)).length > 0,
    log: async (from, to = 'HEAD') => {
      const [first, last] = await range(reader, from, to)
      return readLog(await reader.read(['log', '-z', '--format=%H%x1f%s%x1f%b', `${first}..${last}`, '--']))
    },
    commitTimes: async (from, most) => await commitTimes(reader, from, most),
    commitContents: async (from) => await commitContents(reader, from),
    changedFrom: async (commit) => await inTurn(async () => await changedFrom(reader, commit)),
    pathsAt: async (commit) => await pathsAt(reader, commit),
    lostPaths: async (commit, paths) => await lostPaths(reader, commit, paths),
    movedFrom: async (commit) => await inTurn(async () => await movedFrom(reader, commit)),
    textAt: async (commit, path) => await textAt(reader, commit, path),
    contentHash: async (path) => await contentHash(join(root, path)),
    diff: async (from, to, capBytes) => await readDiff(reader, await range(reader, from, to), capBytes),
    diffSince: async (from, capBytes) => {
      const [first] = await range(reader, from, 'HEAD')
      return await readDiffSince(reader, first, capBytes)
    },
    resolveRevision: async (text) => (await commitId(reader, text.trim())) ?? null,
    secretsIn: async (paths) => await scanForSecrets(root, paths),
    isAncestor: async (sha) => (await reader.pipe(['merge-base', '--is-ancestor', sha, 'HEAD'])).code === 0,
    changedLines: async (from) => await changedLines(reader, from),
    addedFiles: async (from) => await addedFiles(reader, from),
    filesWith: async (word) => await filesWith(reader, word),
    setTag: async (name, sha) => await inTurn(async () => await setTag(reader, name, sha)),
    dropTags: async (prefix) => await inTurn(async () => await dropTags(reader, prefix)),
    revert: async (request) => await inTurn(async () => await revertCommits(reader, bounds, request)),
    branchHere: async (name) => await inTurn(async () => await branchHere(reader, bounds, name)),
    putAside: async (paths, prefix) =>
      await inTurn(async () => await putAsideUnder(reader, bounds, paths, prefix)),
    giveBack: async (ref) => await inTurn(async () => await giveBackFrom(reader, bounds, ref)),
    worktrees: async () => await listWorktrees(reader),
    branches: async () => await listBranches(reader),
    addWorktree: async (tree) => await inTurn(async () => await addWorktree(reader, bounds, tree)),
    dropWorktree: async (tree) => await inTurn(async () => await dropWorktree(reader, bounds, tree)),
    isWorktreeDirty: async (path) => await isWorktreeDirty(reader, bounds, path),
    merge: async (request) => await inTurn(async () => await mergeBranch(reader, bounds, request)),
  }
  return withProblems(git)
}

/** One writer at a time: each action waits for the one before it, whatever came of that. */
function turns() {
  let last: Promise<unknown> = Promise.resolve()
  return async <Result>(action: () => Promise<Result>): Promise<Result> => {
    const mine = last.then(action, action)
    last = mine.catch(() => undefined)
    return await mine
  }
}

/** Exit codes that nobody looked at reach the caller as a Problem. */
function withProblems(git: Git): Git {
  const told = (error: unknown): never => {
    if (error instanceof GitExit)
      throw gitFailed(`git failed: ${error.output.trim() || error.message}`, error)
    throw error
  }
  return {
    ...git,
    branch: async () => await git.branch().catch(told),
    startProblems: async () => await git.startProblems().catch(told),
    startDoubts: async () => await git.startDoubts().catch(told),
    inProgress: async () => await git.inProgress().catch(told),
    commit: async (request) => await git.commit(request).catch(told),
    findAttempt: async (id, since, paths) => await git.findAttempt(id, since, paths).catch(told),
    changedFiles: async (from, to) => await git.changedFiles(from, to).catch(told),
    hasDiff: async (from, to) => await git.hasDiff(from, to).catch(told),
    log: async (from, to) => await git.log(from, to).catch(told),
    commitTimes: async (from, most) => await git.commitTimes(from, most).catch(told),
    commitContents: async (from) => await git.commitContents(from).catch(told),
    changedFrom: async (commit) => await git.changedFrom(commit).catch(told),
    pathsAt: async (commit) => await git.pathsAt(commit).catch(told),
    lostPaths: async (commit, paths) => await git.lostPaths(commit, paths).catch(told),
    movedFrom: async (commit) => await git.movedFrom(commit).catch(told),
    revert: async (request) => await git.revert(request).catch(told),
    branchHere: async (name) => await git.branchHere(name).catch(told),
    putAside: async (paths, prefix) => await git.putAside(paths, prefix).catch(told),
    giveBack: async (ref) => await git.giveBack(ref).catch(told),
    worktrees: async () => await git.worktrees().catch(told),
    branches: async () => await git.branches().catch(told),
    merge: async (request) => await git.merge(request).catch(told),
  }
}

async function range(reader: GitReader, from: string, to: string): Promise<[string, string]> {
  const ids = [await commitId(reader, from), await commitId(reader, to)]
  const [first, last] = ids
  if (first === undefined) throw gitFailed(`${from} is not a commit of this repository.`)
  if (last === undefined) throw gitFailed(`${to} is not a commit of this repository.`)
  return [first, last]
}

function readLog(output: string): LoggedCommit[] {
  return nulList(output).map((entry) => {
    const [sha = '', subject = '', ...body] = entry.split('\x1f')
    return { sha, subject, body: body.join('\x1f').trim() }
  })
}

async function commitTimes(reader: GitReader, from: string, most: number): Promise<DatedCommit[]> {
  const [first, last] = await range(reader, from, 'HEAD')
  const format = '--format=%H%x1f%ct%x1f%s'
  return nulList(await reader.read(['log', '-z', `-${most}`, format, `${first}..${last}`, '--']))
    .map((entry) => {
      const [sha = '', seconds = '', subject = ''] = entry.split('\x1f')
      return { sha, subject, at: new Date(Number(seconds) * 1000).toISOString() }
    })
    .toReversed()
}
