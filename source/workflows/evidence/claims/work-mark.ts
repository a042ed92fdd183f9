import type { DirtyPath, Git } from '../../../project/git.js'
import { isTrace } from '../products.js'

/** Where a work tree stood: enough to tell later, by content, whether anything was done since. */
export interface WorkMark {
  head: string | null
  dirty: DirtyPath[]
}

export async function workMark(git: Pick<Git, 'head' | 'dirty'>): Promise<WorkMark> {
  return { head: await git.head(), dirty: await git.dirty() }
}

/**
 * Paths whose content is another one than at the mark, whether committed or not; an empty commit changes none, and what a
 * run of something left uncommitted shows no work.
 * `isRecord`: paths that show no work. Sorted.
 */
export async function changedSinceMark(
  git: Pick<Git, 'head' | 'dirty' | 'exists' | 'changedFiles' | 'contentHash'>,
  mark: WorkMark,
  isRecord: (path: string) => boolean,
): Promise<string[]> {
  const [head, dirty] = [await git.head(), await git.dirty()]
  const moved = mark.head !== null && head !== null && head !== mark.head && (await git.exists(mark.head))
  const committed = moved ? await git.changedFiles(mark.head as string, head as string) : []
  const before = new Map(mark.dirty.map((one) => [one.path, one.hash]))
  const uncommitted = dirty.map(({ path }) => path).filter((path) => !isTrace(path))
  const changed = new Set([...committed, ...uncommitted].filter((path) => !before.has(path)))
  for (const [path, hash] of before) {
    const now = dirty.find((one) => one.path === path)
    if ((now ? now.hash : await git.contentHash(path)) !== hash) changed.add(path)
  }
  return [...changed].filter((path) => !isRecord(path)).sort()
}
