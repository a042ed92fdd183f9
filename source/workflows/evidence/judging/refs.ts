import { deeperHistory } from '../../../project/snapshot/compare.js'
import type { Difference } from '../../../project/snapshot/difference.js'
import { isPlanned, lies } from '../ground.js'
import { allowed, asked, has, isOwn, type JudgeFacts, noted, type Verdict } from './verdict.js'

// Refs of git, here and at remotes, commits and the stash (docs/evidence.md, "What is compared").

/** Of a remote: nothing of it can be put back, for autopilot pushes nothing unasked. */
function remoteRule(difference: Difference, writes: boolean): Verdict {
  const { change, before = '' } = difference
  if (change === 'added' || change === 'forward')
    return writes ? noted('pushed') : asked('pushed, and nobody was to push', 'either')
  // A fetch forgets what others have deleted there.
  if (change === 'removed' && has(difference, 'fetched')) return noted('gone from the remote, as fetched')
  const old = /^[0-9a-f]{7}/.exec(before)?.[0]
  const back = old === undefined ? '' : `; ${old} was there, only you can push it back`
  return change === 'removed'
    ? asked(`gone from the remote${back}`, 'either')
    : asked(`commits of the remote are in it no more${back}`, 'either')
}

export function refRule(difference: Difference, facts: JudgeFacts): Verdict {
  const { name, change } = difference
  const { contract } = facts
  const writes = contract.may.includes('project files')
  if (has(difference, 'remote')) return remoteRule(difference, writes)
  if (difference.part !== undefined && writes && has(difference, 'backward')) {
    return isPlanned(difference.part, facts.ground.planned)
      ? noted('back to an older commit, as the plan says')
      : asked('the repository inside this one is back at an older commit')
  }
  if (difference.part !== undefined && writes && change !== 'removed')
    return noted('in a repository inside this one')
  if (name.startsWith('refs/replace/')) return asked('another object is shown in the place of one (replace)')
  if (has(difference, 'current-branch') && change === 'forward') return commitRule(facts)
  if (name === 'shallow' && difference.detail === deeperHistory)
    return noted('more of the history was fetched')
  if (has(difference, 'rebased')) return noted('rebased in another work tree, with all that it held')
  if (name === 'HEAD') return asked('HEAD is on another branch than before')
  if (isOwnRef(difference, facts)) return allowed
  if (has(difference, 'ambiguous')) return asked('it has the name of another ref, and may be taken for it')
  if (change === 'removed') return asked('it is deleted')
  if (has(difference, 'other-worktree') && change === 'forward')
    return noted('moved forward in another work tree')
  if (change === 'changed' && has(difference, 'fetched')) return noted('fetched from a remote')
  if (change === 'changed') {
    const what = name.startsWith('refs/heads/') || name === 'HEAD' ? 'the branch' : 'it'
    return asked(
      name.startsWith('refs/tags/')
        ? 'the tag was moved'
        : `commits of ${what} are not in its history any more`,
    )
  }
  if (contract.noted.includes('new refs')) return noted(change === 'added' ? 'new' : 'moved forward')
  // Whoever only reads may fetch, and nothing of here has moved by that.
  if (has(difference, 'fetched')) return noted('fetched from a remote')
  return asked(change === 'added' ? 'a new ref' : 'it has moved, and nobody was to move it')
}

/** A mark of the program that came, went or moved, or a branch of it that grew: by what is at work beside this. */
function isOwnRef({ name, change }: Difference, { ground }: JudgeFacts): boolean {
  if (!(ground.ownRefs ?? []).some((prefix) => name.startsWith(prefix))) return false
  return name.startsWith('refs/tags/') || change === 'added' || change === 'forward'
}

/** Commits on the branch that the dispatch began on, on top of where it was. */
function commitRule(facts: JudgeFacts): Verdict {
  const { contract, ground, committed } = facts
  if (contract.may.includes('commits')) return allowed
  // What of these it has changed is another matter, and asked about where it was not to.
  const plan = [...(ground.places['its plan'] ?? []), ...(ground.places['a commit of its plan'] ?? [])]
  const only = committed.length > 0 && committed.every((path) => lies(path, plan))
  if (contract.may.includes('a commit of its plan') && only) return allowed
  if (committed.length > 0 && committed.every((path) => isOwn(path, facts)))
    return noted('a commit of nothing but its own')
  return asked('commits on the branch that it was not to make')
}

export function stashRule(difference: Difference, { contract }: JudgeFacts): Verdict {
  if (difference.change === 'added' && contract.may.includes('project files'))
    return noted('something was stashed')
  return asked('entries of the stash came, went or changed')
}
