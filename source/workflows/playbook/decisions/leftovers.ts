import type { DirtyPath, Worktree } from '../../../project/git.js'

// What a run that was killed has left: work trees of parts, changes of a task. Pure.

export interface LeftWorktree {
  /** Id of the part. */
  part: string
  /** Repo-relative. */
  path: string
  branch: string | null
  isGone: boolean
}

const places = '.autopilot/worktrees/'

/** Work trees of parts among all of the repository. `root` is absolute. */
export function leftWorktrees(
  worktrees: readonly Pick<Worktree, 'path' | 'branch' | 'isGone'>[],
  root: string,
): LeftWorktree[] {
  const folder = `${root.replace(/\/{1,20}$/, '')}/${places}`
  return worktrees.flatMap(({ path, branch, isGone }) => {
    if (!path.startsWith(folder)) return []
    const part = path.slice(folder.length)
    return part === '' || part.includes('/') ? [] : [{ part, path: `${places}${part}`, branch, isGone }]
  })
}

/** Files that an interrupted task has left: dirty now, and not dirty when the run began, or otherwise than then. */
export function leftChanges(
  now: readonly Pick<DirtyPath, 'path' | 'hash'>[],
  before: readonly Pick<DirtyPath, 'path' | 'hash'>[],
): string[] {
  const known = new Map(before.map(({ path, hash }) => [path, hash]))
  return now.filter(({ path, hash }) => known.get(path) !== hash).map(({ path }) => path)
}
