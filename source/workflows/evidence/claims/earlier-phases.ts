import type { Git } from '../../../project/git.js'

/** A finished phase by its commits: where it began and where it ended. */
export interface FinishedPhase {
  /** As it is called on the screen. */
  label: string
  /** ISO time. */
  startedAt: string
  startCommit: string
  endCommit: string
}

/**
 * What of earlier phases does not stand any more: a file that is missing and was not moved, or back to its old content, unless the text of
 * a later plan names it. `later`: the texts of the plans that came after it.
 */
export async function fallenPhases(
  git: Pick<Git, 'exists' | 'changedFiles' | 'changedFrom' | 'lostPaths' | 'movedFrom'>,
  phases: readonly FinishedPhase[],
  later: (phase: FinishedPhase) => readonly string[],
): Promise<string[]> {
  const doubts: string[] = []
  for (const phase of phases) {
    if (!(await git.exists(phase.startCommit)) || !(await git.exists(phase.endCommit))) {
      doubts.push(`${phase.label}: the commits of this phase are not in the repository any more.`)
      continue
    }
    const plans = later(phase)
    const made = (await git.changedFiles(phase.startCommit, phase.endCommit)).filter(
      (path) => !plans.some((plan) => plan.includes(path)),
    )
    if (made.length === 0) continue
    const standing = new Set(await git.changedFrom(phase.startCommit))
    const lost = new Set(await git.lostPaths(phase.endCommit, made))
    // What was moved is there, though a later plan may name only the new place.
    const moved = lost.size === 0 ? undefined : await git.movedFrom(phase.endCommit)
    for (const path of made) {
      if (moved?.has(path)) continue
      if (lost.has(path)) doubts.push(`${phase.label}: ${path} is not there any more.`)
      else if (!standing.has(path)) doubts.push(`${phase.label}: ${path} is back to what it was before.`)
    }
  }
  return doubts
}
