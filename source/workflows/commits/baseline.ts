import type { DirtyPath } from '../../project/git.js'
import { readText, sessionFiles, writeText } from '../harness/artifacts/files.js'
import type { HarnessTools } from '../harness/tools.js'

/** What was uncommitted when a phase began, and what the person decided about those paths (section 5.2). */
export interface Baseline {
  dirty: DirtyPath[]
  /** Paths of `dirty` that go into checkpoint commits, or stay out of them. */
  decided: Record<string, 'include' | 'leave'>
  /** Where the phase began; null on a detached HEAD, absent where it was not recorded. */
  branch?: string | null
}

export async function takeBaseline(tools: HarnessTools, phase: number): Promise<void> {
  const baseline: Baseline = { dirty: await tools.git.dirty(), decided: {}, branch: await tools.git.branch() }
  await writeBaseline(tools, phase, baseline)
}

export async function writeBaseline(tools: HarnessTools, phase: number, baseline: Baseline): Promise<void> {
  await writeText(
    tools,
    sessionFiles(tools.sessionDir).baseline(phase),
    `${JSON.stringify(baseline, null, 2)}\n`,
  )
}

/** Without a readable baseline everything dirty counts as there before, so that nothing is committed unasked. */
export async function readBaseline(tools: HarnessTools, phase: number): Promise<Baseline> {
  const text = await readText(tools, sessionFiles(tools.sessionDir).baseline(phase))
  try {
    const value = JSON.parse(text ?? '') as Baseline
    if (Array.isArray(value.dirty) && typeof value.decided === 'object') return value
  } catch {
    // fall through to the cautious answer
  }
  const dirty = await tools.git.dirty()
  return { dirty: dirty.map((entry) => ({ ...entry, hash: `unknown ${entry.hash}` })), decided: {} }
}
