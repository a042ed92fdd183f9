import type { Worktree } from '../../../project/git.js'

// Which branch a part gets. A branch that somebody else has made stays as it is, and the part takes the next name. Pure.

/** A name that the part could have had, and why it is not taken. */
export interface TakenName {
  name: string
  why: string
}

/** Whether a branch is one that this program gives to a part of this name. */
export function isPartBranch(branch: string | null, part: string): boolean {
  return branch !== null && namesOf(part).some((name) => branch === name || numberBehind(branch, name))
}

const namesOf = (part: string) => [`autopilot/${part}`, `autopilot-part/${part}`]

const numberBehind = (branch: string, name: string) =>
  branch.startsWith(`${name}-`) && /^[2-9]\d{0,3}$|^1\d{1,3}$/.test(branch.slice(name.length + 1))

/**
 * `autopilot/<part>`, numbered from 2 on where somebody else has a branch of that name; `autopilot-part/<part>` where a
 * branch `autopilot` leaves no place below it.
 */
export function partBranch(
  part: string,
  branches: readonly string[],
  trees: readonly Pick<Worktree, 'path' | 'branch'>[],
): { branch: string; taken: TakenName[] } {
  const taken: TakenName[] = []
  const has = (name: string) => branches.includes(name)
  const base = namesOf(part).find((name) => !has(name.split('/')[0] ?? ''))
  if (has('autopilot')) taken.push({ name: `autopilot/${part}`, why: 'there is a branch autopilot' })
  for (let count = 1; ; count += 1) {
    const branch = count === 1 ? `${base}` : `${base}-${count}`
    const why = whyTaken(branch, branches, trees)
    if (why === undefined) return { branch, taken }
    taken.push({ name: branch, why })
  }
}

function whyTaken(
  branch: string,
  branches: readonly string[],
  trees: readonly Pick<Worktree, 'path' | 'branch'>[],
): string | undefined {
  const tree = trees.find((one) => one.branch === branch)
  if (tree !== undefined) return `it is checked out in ${tree.path}`
  if (branches.some((name) => name.startsWith(`${branch}/`))) return 'there are branches below it'
  return branches.includes(branch) ? 'this part did not make it' : undefined
}
