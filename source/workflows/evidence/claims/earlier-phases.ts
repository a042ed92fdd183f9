import { basename } from 'node:path'
import type { Git } from '../../../project/git.js'
import { kindOf } from './hollow-changes.js'

/** A finished phase by its commits: where it began and where it ended. */
export interface FinishedPhase {
  /** As it is called on the screen. */
  label: string
  /** ISO time. */
  startedAt: string
  startCommit: string
  endCommit: string
}

type Reads = Pick<Git, 'exists' | 'changedFiles' | 'changedFrom' | 'lostPaths' | 'movedFrom' | 'textAt'>

export interface FallenAsked {
  /** The texts of the plans that came after a phase. */
  later(phase: FinishedPhase): readonly string[]
  /** Of the files of a phase, those that are work and no record of the run; default: all. */
  isWork?(path: string): boolean
  /** Text of a file in the work tree; undefined where it is gone. */
  read(path: string): Promise<string | undefined>
}

/**
 * What of earlier phases does not stand any more: a file that is missing and was not moved, or back to its old content, comments and
 * layout aside, unless the text of a later plan names it.
 */
export async function fallenPhases(
  git: Reads,
  phases: readonly FinishedPhase[],
  { later, read, isWork = () => true }: FallenAsked,
): Promise<string[]> {
  const doubts: string[] = []
  for (const phase of phases) {
    if (!(await git.exists(phase.startCommit)) || !(await git.exists(phase.endCommit))) {
      doubts.push(`${phase.label}: the commits of this phase are not in the repository any more.`)
      continue
    }
    const plans = later(phase)
    const made = (await git.changedFiles(phase.startCommit, phase.endCommit)).filter(
      (path) => isWork(path) && !plans.some((plan) => plan.includes(path)),
    )
    if (made.length === 0) continue
    const standing = new Set(await git.changedFrom(phase.startCommit))
    const since = new Set(await git.changedFrom(phase.endCommit))
    const lost = new Set(await git.lostPaths(phase.endCommit, made))
    // What was moved is there, though a later plan may name only the new place.
    const moved = lost.size === 0 ? undefined : await git.movedFrom(phase.endCommit)
    for (const path of made) {
      if (moved?.has(path)) continue
      if (lost.has(path)) doubts.push(`${phase.label}: ${path} is not there any more.`)
      else if (!standing.has(path)) doubts.push(`${phase.label}: ${path} is back to what it was before.`)
      else if (since.has(path) && (await isBareBack(git, phase, { path, read })))
        doubts.push(`${phase.label}: ${path} is back to what it was before, but for comments and layout.`)
    }
  }
  return doubts
}

/** Nothing but comments and layout is left of what a phase has made of a file. */
async function isBareBack(
  git: Reads,
  { startCommit, endCommit }: FinishedPhase,
  { path, read }: { path: string; read: FallenAsked['read'] },
): Promise<boolean> {
  const [before, made, now] = await Promise.all([
    git.textAt(startCommit, path),
    git.textAt(endCommit, path),
    read(path).catch(() => undefined),
  ])
  if (before === undefined || made === undefined || now === undefined) return false
  const name = basename(path)
  return kindOf(name, before, now) !== undefined && kindOf(name, before, made) === undefined
}
