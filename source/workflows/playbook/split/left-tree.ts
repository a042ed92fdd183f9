import type { Git } from '../../../project/git.js'
import { type LeftWorktree, leftWorktrees } from '../decisions/leftovers.js'
import type { SplitPart } from '../decisions/split.js'
import { partPlaces } from '../decisions/split.js'
import { tell } from '../progress.js'
import { qLeftWorktree } from '../questions/leftover.js'
import { putAsideOnce } from '../steps/put-aside.js'
import type { PhaseWork } from '../work.js'

interface Found {
  left: LeftWorktree
  isDirty: boolean
  canGoOn: boolean
}

/**
 * A work tree that was there before this part had begun is of a run that was killed: a person says whether the part
 * goes on in it. Nothing of one that is removed is lost.
 */
export async function settleLeftTree(work: PhaseWork, part: SplitPart): Promise<void> {
  const { run, tools, git, at, facts } = work
  const { branch, worktree } = partPlaces(part.id, facts.dir)
  const key = `${at}part-${part.id}-left`
  const found = (await run.step(key, () => lookFor(work, part))) as Found | null
  if (found === null) return dropStaleBranch(work, part)
  const { value } = await run.ask(`${key}-ask`, qLeftWorktree(found.left, found))
  if (value !== 'remove') return
  const own = tools.gitAt(worktree)
  const paths = await run.step(`${key}-dirty`, async () =>
    found.isDirty ? (await own.dirty()).map(({ path }) => path) : [],
  )
  if (paths.length > 0) {
    const aside = await putAsideOnce(work, own, `${key}-aside`, paths)
    if (aside !== null)
      await tell(
        work,
        `part-${part.id}-left-says`,
        `Put aside under ${aside.ref}: ${paths.join(', ')}.`,
        'warning',
      )
  }
  await run.step(`${key}-remove`, async () => {
    await git.dropWorktree({ path: worktree, branch: found.left.branch ?? branch, force: true })
    return null
  })
}

/** A branch of a part without its work tree is of a run that was killed; its commits stay under a ref, which is told. */
async function dropStaleBranch(work: PhaseWork, part: SplitPart): Promise<void> {
  const { run, git, at, facts } = work
  const { branch, worktree } = partPlaces(part.id, facts.dir)
  const tip = await run.step(`${at}part-${part.id}-stale`, async () => {
    const head = await git.resolveRevision(`refs/heads/${branch}`)
    if (head === null || (await hasTree(git, branch))) return null
    await git.dropWorktree({ path: worktree, branch, force: true })
    return head
  })
  if (tip === null) return
  const kept = `refs/autopilot/kept/${branch}/${tip.slice(0, 12)}`
  await tell(
    work,
    `part-${part.id}-stale-says`,
    `The branch ${branch} was left over; its commits are kept under ${kept}.`,
    'warning',
  )
}

/** Whether a work tree that is there is on this branch. */
export async function hasTree(git: Git, branch: string): Promise<boolean> {
  return (await git.worktrees()).some((tree) => tree.branch === branch && !tree.isGone)
}

async function lookFor({ git, tools, facts }: PhaseWork, part: SplitPart): Promise<Found | null> {
  const { worktree } = partPlaces(part.id, facts.dir)
  const left = leftWorktrees(await git.worktrees(), tools.root).find((tree) => tree.path === worktree)
  if (left === undefined || left.isGone) return null
  const head = await git.head()
  const { branch } = partPlaces(part.id, facts.dir)
  return {
    left,
    isDirty: await git.isWorktreeDirty(worktree),
    canGoOn: left.branch === branch && head !== null && (await tools.gitAt(worktree).isAncestor(head)),
  }
}
