import { join } from 'node:path'
import { type LeftWorktree, leftWorktrees } from '../decisions/leftovers.js'
import { partPlaces } from '../decisions/split.js'
import { tell } from '../progress.js'
import { qLeftWorktree } from '../questions/leftover.js'
import { putAsideOnce } from '../steps/put-aside.js'
import type { PhaseWork } from '../work.js'
import { isPartBranch, partBranch, type TakenName } from './part-branch.js'

interface Found {
  left: LeftWorktree
  isDirty: boolean
  canGoOn: boolean
}

/**
 * A work tree that was there before this part had begun is of a run that was killed: a person says whether the part
 * goes on in it. Nothing of one that is removed is lost. Returns the branch of the part.
 */
export async function settleLeftTree(work: PhaseWork, part: { id: string }): Promise<string> {
  const { run, tools, git, at, facts } = work
  const { worktree } = partPlaces(part.id, facts.dir)
  const key = `${at}part-${part.id}-left`
  const found = (await run.step(key, () => lookFor(work, part))) as Found | null
  if (found === null) return freeBranch(work, part)
  const { value } = await run.ask(`${key}-ask`, qLeftWorktree(found.left, found))
  if (value !== 'remove') return found.left.branch ?? ''
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
    const { branch } = found.left
    // A branch that somebody has checked out there is not the program's to take away.
    const isOwn = branch !== null && isPartBranch(branch, part.id)
    await git.dropWorktree({ path: worktree, ...(isOwn ? { branch } : {}), force: true })
    return null
  })
  return freeBranch(work, part)
}

interface Freed {
  branch: string
  taken: TakenName[]
  /** A branch of the program was left over without its work tree, and made way. */
  stale: { branch: string; tip: string } | null
}

/** Branches of others stay as they are; one of the program that is left over makes way, its commits under a ref. */
async function freeBranch(work: PhaseWork, part: { id: string }): Promise<string> {
  const { run, git, tools, at, facts } = work
  const { worktree } = partPlaces(part.id, facts.dir)
  const freed = (await run.step(`${at}part-${part.id}-branch`, async (): Promise<Freed> => {
    const place = join(tools.root, worktree)
    const left = (await git.worktrees()).find(({ path }) => path === place)
    const isStale = left?.isGone === true && isPartBranch(left.branch, part.id)
    const stale = isStale && left?.branch ? left.branch : undefined
    const tip = stale === undefined ? null : await git.resolveRevision(`refs/heads/${stale}`)
    await git.dropWorktree({ path: worktree, ...(stale === undefined ? {} : { branch: stale }), force: true })
    const chosen = partBranch(part.id, await git.branches(), await git.worktrees())
    return { ...chosen, stale: stale === undefined || tip === null ? null : { branch: stale, tip } }
  })) as Freed
  for (const { name, why } of freed.taken)
    await tell(
      work,
      `part-${part.id}-taken-${name.replaceAll('/', '-')}`,
      `The branch ${name} stays as it is, since ${why}; part ${part.id} is on ${freed.branch}.`,
      'warning',
    )
  if (freed.stale !== null) {
    const { branch, tip } = freed.stale
    const kept = `refs/autopilot/kept/${branch}/${tip.slice(0, 12)}`
    await tell(
      work,
      `part-${part.id}-stale-says`,
      `The branch ${branch} was left over; its commits are kept under ${kept}.`,
      'warning',
    )
  }
  return freed.branch
}

/** Whether the work tree at this place, and no other, is on this branch. */
export async function hasTree(
  { git, tools }: Pick<PhaseWork, 'git' | 'tools'>,
  worktree: string,
  branch: string,
): Promise<boolean> {
  const place = join(tools.root, worktree)
  return (await git.worktrees()).some((tree) => tree.path === place && tree.branch === branch && !tree.isGone)
}

async function lookFor({ git, tools, facts }: PhaseWork, part: { id: string }): Promise<Found | null> {
  const { worktree } = partPlaces(part.id, facts.dir)
  const left = leftWorktrees(await git.worktrees(), tools.root).find((tree) => tree.path === worktree)
  if (left === undefined || left.isGone) return null
  const head = await git.head()
  return {
    left,
    isDirty: await git.isWorktreeDirty(worktree),
    canGoOn:
      isPartBranch(left.branch, part.id) && head !== null && (await tools.gitAt(worktree).isAncestor(head)),
  }
}
