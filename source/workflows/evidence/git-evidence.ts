import type { Git } from '../../project/git.js'
import type { Baseline } from '../commits/baseline.js'
import { isTrace } from './products.js'

/** What git says of work that an agent calls complete. */
export interface GitEvidence {
  /** What does not fit work that was really done: shown, and decided by the person. */
  doubts: string[]
  /** Those of them that are about the repository and not about the work: no agent can settle them. */
  moved: string[]
  /** Changed files that are in no commit. */
  uncommitted: string[]
  /** Nothing was committed and nothing changed at all. */
  idle: boolean
}

/** The work that is claimed, as it is on record. */
export interface ClaimedWork {
  /** Commit that it began with, where one was recorded. */
  startCommit?: string
  baseline: Baseline
  /** Paths that show no work: the plan itself, and records of the workflow. Repo-relative. */
  isRecord(path: string): boolean
}

/** Compares the claim with git: was anything done, on the branch and on top of the commit that the work began with? */
export async function gitEvidence(git: Git, work: ClaimedWork): Promise<GitEvidence> {
  const { startCommit: start, baseline } = work
  const [head, branch, changes] = await Promise.all([
    git.head(),
    git.branch(),
    git.changedSince(baseline.dirty),
  ])
  const changed = [...changes.mine, ...changes.beforehand].filter(
    (path) => !work.isRecord(path) && !isTrace(path),
  )
  const moved: string[] = []
  if (baseline.branch !== undefined && baseline.branch !== branch) {
    moved.push(
      `The phase began on ${baseline.branch ?? 'a detached HEAD'}, HEAD is now on ${branch ?? 'no branch'}.`,
    )
  }
  if (start !== undefined && head !== null && head !== start && !(await isAncestor(git, start, head))) {
    moved.push(
      `The commit that the phase began with (${start.slice(0, 7)}) is no longer in the history of HEAD.`,
    )
  }
  const idle = start !== undefined && head === start && changed.length === 0
  const doubts = idle
    ? [...moved, 'Every task is reported complete, but the phase has no commit and changed no file.']
    : moved
  return { doubts, moved, uncommitted: changes.mine.filter((path) => !work.isRecord(path)), idle }
}

async function isAncestor(git: Git, start: string, head: string): Promise<boolean> {
  if (!(await git.exists(start))) return false
  return (await git.log(head, start)).length === 0
}
