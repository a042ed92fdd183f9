import { mkdtemp, rm, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commitId, type GitReader, gitFailed, nulList } from './git-read.js'
import { conflictsIn, inSideTree, type SideGit, type SideResult, told, writeGit } from './git-side-tree.js'
import { type CommitLimits, runWrite } from './git-write.js'

// Taking commits back, with history kept (docs/durability.md, "Commits").

export interface RevertRequest {
  /** Ids of commits, in any order. */
  commits: readonly string[]
  message: string
  /** Found again in the trailer after a crash. */
  attemptId: string
  /** Repo-relative folders that stay as HEAD has them. */
  keep?: readonly string[]
}

/** One commit that takes all of these back. Of a merge, what its branch brought is taken back. */
export async function revertCommits(
  reader: GitReader,
  limits: CommitLimits,
  request: RevertRequest,
): Promise<SideResult> {
  const commits = await newestFirst(reader, request.commits)
  if (commits.length === 0) return { done: false }
  return await inSideTree(reader, limits, {
    message: request.message,
    attemptId: request.attemptId,
    work: async (git) => {
      for (const { sha, parents } of commits) {
        const stopped = await revertOne(git, sha, parents)
        if (stopped) return stopped
      }
      if (request.keep && request.keep.length > 0) await git(['reset', '-q', 'HEAD', '--', ...request.keep])
      return undefined
    },
  })
}

async function revertOne(git: SideGit, sha: string, parents: number) {
  const mainline = parents > 1 ? ['-m', '1'] : []
  const result = await git(['revert', '--no-commit', ...mainline, sha])
  if (result.code === 0) return undefined
  return { conflict: await conflictsIn(git), output: told(result) }
}

/** These commits as far as HEAD holds them, newest first, with the number of their parents. */
async function newestFirst(
  reader: GitReader,
  commits: readonly string[],
): Promise<{ sha: string; parents: number }[]> {
  const ids = new Set<string>()
  for (const commit of commits) {
    const id = await commitId(reader, commit)
    if (id === undefined) throw gitFailed(`${commit} is not a commit of this repository.`)
    ids.add(id)
  }
  if (ids.size === 0) return []
  const output = await reader.read(['rev-list', '--topo-order', '--parents', 'HEAD', '--'])
  const found = output.split('\n').flatMap((line) => {
    const [sha = '', ...parents] = line.split(' ')
    return ids.has(sha) ? [{ sha, parents: parents.length }] : []
  })
  const brought = new Set<string>()
  for (const { sha } of found.filter(({ parents }) => parents > 1))
    for (const one of await broughtBy(reader, sha)) brought.add(one)
  return found.filter(({ sha }) => !brought.has(sha))
}

/** What a merge has brought goes with it: a second revert of the same lines would stand in its own way. */
async function broughtBy(reader: GitReader, merge: string): Promise<string[]> {
  const output = await reader.read(['rev-list', `${merge}^1..${merge}`, '--'])
  return output.split('\n').filter((sha) => sha !== merge && sha !== '')
}

/** Makes a branch at HEAD, with `-2`, `-3`, .. behind its name where it is taken. Returns its name. */
export async function branchHere(reader: GitReader, limits: CommitLimits, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const branch = number === 1 ? name : `${name}-${number}`
    if ((await commitId(reader, `refs/heads/${branch}`)) !== undefined) continue
    await writeGit(reader, limits, ['branch', branch, 'HEAD'])
    return branch
  }
}

/**
 * Keeps uncommitted changes of these paths under a ref, then gives the files their committed content; untracked ones
 * go. Returns the ref, null where there was nothing to keep.
 */
export async function putAsideUnder(
  reader: GitReader,
  limits: CommitLimits,
  paths: readonly string[],
  prefix: string,
): Promise<string | null> {
  const scratch = await mkdtemp(join(tmpdir(), 'autopilot-aside-'))
  try {
    const env = { GIT_INDEX_FILE: join(scratch, 'index') }
    const write = async (args: string[], input?: string) => {
      const result = await runWrite(reader.root, args, limits, { env, input })
      if (result.code !== 0) throw gitFailed(`Your changes could not be kept: ${told(result)}`)
      return result.stdout.trim()
    }
    const list = `${paths.join('\0')}\0`
    await write(['read-tree', 'HEAD'])
    await write(
      ['--literal-pathspecs', 'add', '-A', '-f', '--pathspec-from-file=-', '--pathspec-file-nul'],
      list,
    )
    const changed = nulList(await write(['diff', '--cached', '--name-only', '-z', '--no-renames', 'HEAD']))
    if (changed.length === 0) return null
    const tree = await write(['write-tree'])
    const sha = await write(['commit-tree', tree, '-p', 'HEAD', '-F', '-'], 'Kept by autopilot\n')
    const ref = await freeRef(reader, prefix)
    await writeGit(reader, limits, ['update-ref', ref, sha])
    await restore(reader, limits, changed)
    return ref
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function freeRef(reader: GitReader, prefix: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const ref = `${prefix}/${number}`
    if ((await commitId(reader, ref)) === undefined) return ref
  }
}

async function restore(reader: GitReader, limits: CommitLimits, paths: readonly string[]): Promise<void> {
  const inHead = new Set(nulList(await reader.read(['ls-tree', '-r', '-z', '--name-only', 'HEAD'])))
  const known = paths.filter((path) => inHead.has(path))
  if (known.length > 0)
    await writeGit(reader, limits, [
      '--literal-pathspecs',
      'restore',
      '--source=HEAD',
      '--staged',
      '--worktree',
      '--',
      ...known,
    ])
  for (const path of paths.filter((one) => !inHead.has(one))) {
    await writeGit(reader, limits, [
      '--literal-pathspecs',
      'rm',
      '-q',
      '--cached',
      '--ignore-unmatch',
      '--',
      path,
    ])
    await unlink(join(reader.root, path)).catch(() => undefined)
  }
}
