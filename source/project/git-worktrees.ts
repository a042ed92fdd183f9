import { basename, isAbsolute, join, relative } from 'node:path'
import { commitId, type GitReader, gitFailed, nulList } from './git-read.js'
import { conflictsIn, inSideTree, type SideResult, told, writeGit } from './git-side-tree.js'
import { type CommitLimits, runWrite } from './git-write.js'

// Work trees of parts of a phase, and bringing their branches together.

export interface Worktree {
  /** Absolute. */
  path: string
  head: string | null
  /** Name of its branch; null where it has none. */
  branch: string | null
  /** Its folder is gone. */
  isGone: boolean
}

/** All work trees of the repository, the main one first. */
export async function listWorktrees(reader: GitReader): Promise<Worktree[]> {
  const output = await reader.read(['worktree', 'list', '--porcelain', '-z'])
  return output
    .split('\0\0')
    .filter((block) => block !== '')
    .map((block) => {
      const fields = nulList(block)
      const of = (name: string) =>
        fields.find((field) => field.startsWith(`${name} `))?.slice(name.length + 1)
      return {
        path: of('worktree') ?? '',
        head: of('HEAD') ?? null,
        branch: of('branch')?.replace(/^refs\/heads\//, '') ?? null,
        isGone: fields.some((field) => field.startsWith('prunable')),
      }
    })
}

/** Makes a work tree on a new branch. `path` is repo-relative. */
export async function addWorktree(
  reader: GitReader,
  limits: CommitLimits,
  { path, branch, from }: { path: string; branch: string; from: string },
): Promise<void> {
  await writeGit(reader, limits, ['worktree', 'add', '-q', '-b', branch, join(reader.root, path), from])
}

/**
 * Takes a work tree away, and its branch where one is named. What was committed in it stays under `refs/autopilot/kept/`,
 * whatever becomes of its branch; a branch that is checked out elsewhere stays. Uncommitted changes are refused unless
 * `force` says that they may go.
 */
export async function dropWorktree(
  reader: GitReader,
  limits: CommitLimits,
  { path, branch, force = false }: { path: string; branch?: string; force?: boolean },
): Promise<void> {
  const place = join(reader.root, path)
  const isHere = (tree: Worktree) =>
    !isAbsolute(relative(place, tree.path)) && relative(place, tree.path) === ''
  const trees = await listWorktrees(reader)
  // Only this one: the folder of another may lie on a disk that is not there at the moment.
  const here = trees.find(isHere)
  const mayGo = force || here?.isGone === true
  const keep = (name: string, head: string) =>
    writeGit(reader, limits, ['update-ref', `refs/autopilot/kept/${name}/${head.slice(0, 12)}`, head])
  // Commits of no branch would be gone with the tree.
  if (here?.head && here.branch === null) await keep(branch ?? basename(path), here.head)
  if (here) await writeGit(reader, limits, ['worktree', 'remove', ...(mayGo ? ['--force'] : []), place])
  if (branch === undefined) return
  const head = await commitId(reader, `refs/heads/${branch}`)
  const isElsewhere = trees.some((tree) => tree.branch === branch && !isHere(tree))
  if (head === undefined || isElsewhere) return
  await keep(branch, head)
  await writeGit(reader, limits, ['update-ref', '-d', `refs/heads/${branch}`, head])
}

/** Names of all branches. */
export async function listBranches(reader: GitReader): Promise<string[]> {
  const output = await reader.read(['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/'])
  return output.split('\n').filter((name) => name !== '')
}

export interface MergeRequest {
  branch: string
  message: string
  attemptId: string
}

/** A merge, and files that are gone without a commit that deleted them. */
export type MergeResult = SideResult & { lost?: string[] }

/** Merges a branch into HEAD as one commit. A conflict changes nothing. */
export async function mergeBranch(
  reader: GitReader,
  limits: CommitLimits,
  { branch, message, attemptId }: MergeRequest,
): Promise<MergeResult> {
  const [head, tip] = [await commitId(reader, 'HEAD'), await commitId(reader, `refs/heads/${branch}`)]
  if (head === undefined || tip === undefined) throw gitFailed(`There is no branch ${branch} to merge.`)
  const base = (await reader.tryRead(['merge-base', head, tip]))?.trim()
  if (base === tip) return { done: false }
  const result = await inSideTree(reader, limits, {
    message,
    attemptId,
    parents: [tip],
    work: async (git) => {
      const merged = await git(['merge', '--no-commit', '--no-ff', '-q', tip])
      if (merged.code === 0) return undefined
      return { conflict: await conflictsIn(git), output: told(merged) }
    },
  })
  if (result.done !== true || base === undefined) return result
  const lost = await lostFiles(reader, { base, sides: [head, tip], merged: result.sha })
  return lost.length > 0 ? { ...result, lost } : result
}

/** Files of either side that the merge has not, though no commit of the sides deleted them. */
export async function lostFiles(
  reader: GitReader,
  { base, sides, merged }: { base: string; sides: readonly string[]; merged: string },
): Promise<string[]> {
  const namesOf = async (commit: string) =>
    nulList(await reader.read(['ls-tree', '-r', '-z', '--name-only', commit]))
  const kept = new Set(await namesOf(merged))
  const lost = new Set<string>()
  const deleted = new Set<string>()
  for (const side of sides) {
    for (const name of await namesOf(side)) if (!kept.has(name)) lost.add(name)
    const args = [
      'log',
      '-z',
      '--format=',
      '--name-only',
      '--no-renames',
      '--diff-filter=D',
      `${base}..${side}`,
      '--',
    ]
    for (const name of nulList(await reader.read(args))) deleted.add(name.trim())
  }
  return [...lost].filter((name) => !deleted.has(name)).sort()
}

/** Whether a work tree holds changes that are not committed. `path` is repo-relative. */
export async function isWorktreeDirty(
  reader: GitReader,
  limits: CommitLimits,
  path: string,
): Promise<boolean> {
  const result = await runWrite(join(reader.root, path), ['status', '--porcelain', '-z'], limits, {})
  if (result.code !== 0) throw gitFailed(`The work tree ${path} cannot be looked at: ${told(result)}`)
  return result.stdout !== ''
}
