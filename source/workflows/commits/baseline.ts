import type { DirtyPath } from '../../project/git.js'
import { readText, writeText } from '../../project/text-files.js'
import type { SessionTools } from '../tools.js'

/**
 * What was uncommitted when work began, and what the person decided about those paths (docs/harness.md, "Commits").
 * It lives in the state; a file of it is for people, and is read only where an earlier version wrote no other.
 */
export interface Baseline {
  dirty: DirtyPath[]
  /** Paths of `dirty` that go into checkpoint commits, or stay out of them. */
  decided: Record<string, 'include' | 'leave'>
  /** Where the work began; null on a detached HEAD, absent where it was not recorded. */
  branch?: string | null | undefined
}

/** What baselines and commits need of a session. */
export type CommitTools = Pick<SessionTools, 'root' | 'git' | 'place'>

/** What is uncommitted now, but for what agents have left, as long as it is as they left it. */
export async function takeBaseline(
  tools: Pick<CommitTools, 'git'>,
  left: readonly DirtyPath[] = [],
): Promise<Baseline> {
  const [all, branch] = await Promise.all([tools.git.dirty(), tools.git.branch()])
  const isLeft = ({ path, hash }: DirtyPath) => left.some((one) => one.path === path && one.hash === hash)
  return { dirty: all.filter((entry) => !isLeft(entry)), decided: {}, branch }
}

/** What is uncommitted now and was not when the work began: nobody's but the agents'. */
export async function leftByWork(
  { git }: Pick<CommitTools, 'git'>,
  { dirty }: Baseline,
): Promise<DirtyPath[]> {
  const before = new Set(dirty.map(({ path }) => path))
  return (await git.dirty()).filter(({ path }) => !before.has(path))
}

/** What was uncommitted then, is so still, and was not handed over by the person. */
export async function stillDirty(
  { git }: Pick<CommitTools, 'git'>,
  { dirty, decided }: Baseline,
): Promise<string[]> {
  const kept = dirty.filter(({ path }) => decided[path] !== 'include')
  if (kept.length === 0) return []
  const now = new Set((await git.dirty()).map(({ path }) => path))
  return kept.map(({ path }) => path).filter((path) => now.has(path))
}

/** Writes it to a repo-relative file, for people and other tools. */
export async function exportBaseline(tools: CommitTools, path: string, baseline: Baseline): Promise<void> {
  await writeText(tools, path, `${JSON.stringify(baseline, null, 2)}\n`)
}

/**
 * The baseline of a session that an earlier version began. Without a readable one everything dirty counts as there
 * before, so that nothing is committed unasked.
 */
export async function baselineOfFile(tools: CommitTools, path: string): Promise<Baseline> {
  const text = await readText(tools, path)
  try {
    const value = JSON.parse(text ?? '') as Baseline
    if (Array.isArray(value.dirty) && typeof value.decided === 'object') return value
  } catch {
    // fall through to the cautious answer
  }
  const dirty = await tools.git.dirty()
  return { dirty: dirty.map((entry) => ({ ...entry, hash: `unknown ${entry.hash}` })), decided: {} }
}
