import { readBaseline } from '../commits/baseline.js'
import type { PhaseContext } from '../harness/phases.js'
import type { HarnessTools } from '../harness/tools.js'

/** What git says of a phase that an executor calls complete. */
export interface GitEvidence {
  /** What does not fit a phase that was worked on: shown, and decided by the person. */
  doubts: string[]
  /** Changed files of the phase that are in no commit. */
  uncommitted: string[]
}

/** Compares the claim with git: was anything done, on the branch and on top of the commit that the phase began with? */
export async function gitEvidence(tools: HarnessTools, context: PhaseContext): Promise<GitEvidence> {
  const { git } = tools
  const start = context.phase.startCommit
  const baseline = await readBaseline(tools, context.number)
  const [head, branch, changes] = await Promise.all([
    git.head(),
    git.branch(),
    git.changedSince(baseline.dirty),
  ])
  const changed = [...changes.mine, ...changes.beforehand].filter((path) => !isPlan(path, context))
  const doubts: string[] = []
  if (baseline.branch !== undefined && baseline.branch !== branch) {
    doubts.push(
      `The phase began on ${baseline.branch ?? 'a detached HEAD'}, HEAD is now on ${branch ?? 'no branch'}.`,
    )
  }
  if (start !== undefined && head !== null && head !== start && !(await isAncestor(tools, start, head))) {
    doubts.push(
      `The commit that the phase began with (${start.slice(0, 7)}) is no longer in the history of HEAD.`,
    )
  }
  if (start !== undefined && head === start && changed.length === 0) {
    doubts.push('Every task is reported complete, but the phase has no commit and changed no file.')
  }
  return { doubts, uncommitted: changes.mine.filter((path) => !isPlan(path, context)) }
}

function isPlan(path: string, context: PhaseContext): boolean {
  return path === context.phase.planPath || path.startsWith('.harness/')
}

async function isAncestor(tools: HarnessTools, start: string, head: string): Promise<boolean> {
  if (!(await tools.git.exists(start))) return false
  return (await tools.git.log(head, start)).length === 0
}
