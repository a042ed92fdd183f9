import type { DirtyPath } from '../../project/git.js'
import { readText, writeText } from '../../project/text-files.js'
import type { SessionTools } from '../tools.js'

/**
 * What was uncommitted when work began, and what the person decided about those paths (docs/harness.md,
 * "Commits").
 */
export interface Baseline {
  dirty: DirtyPath[]
  /** Paths of `dirty` that go into checkpoint commits, or stay out of them. */
  decided: Record<string, 'include' | 'leave'>
  /** Where the work began; null on a detached HEAD, absent where it was not recorded. */
  branch?: string | null
}

/** What baselines and commits need of a session. */
export type CommitTools = Pick<SessionTools, 'root' | 'git' | 'place'>

/** Records what is uncommitted now in the repo-relative file `path`. */
export async function takeBaseline(tools: CommitTools, path: string): Promise<void> {
  const [dirty, branch] = await Promise.all([tools.git.dirty(), tools.git.branch()])
  await writeBaseline(tools, path, { dirty, decided: {}, branch })
}

export async function writeBaseline(tools: CommitTools, path: string, baseline: Baseline): Promise<void> {
  await writeText(tools, path, `${JSON.stringify(baseline, null, 2)}\n`)
}

/** Without a readable baseline everything dirty counts as there before, so that nothing is committed unasked. */
export async function readBaseline(tools: CommitTools, path: string): Promise<Baseline> {
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
