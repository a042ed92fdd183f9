import { join } from 'node:path'
import { Problem } from '../problem.js'
import { gitDirectory } from '../project/paths.js'
import { ensureDir } from '../storage/contained-path.js'
import { acquireLock, describeOwner, type LockOwner, readOwner } from '../storage/lock.js'
import { version } from '../version.js'

const lockName = 'worktree.lock.json'

/**
 * One run at a time in a work tree, whatever its workflow: two would commit each other's changes. The lock lies in the
 * git directory of the work tree, where nothing is committed from. Gives back the release; throws a Problem ('locked').
 * `tookOver`: a process whose session was taken over by force and that has not let go of the work tree.
 */
export async function lockWorktree(root: string, tookOver?: LockOwner): Promise<() => Promise<void>> {
  const gitDir = await gitDirectory(root)
  if (gitDir === undefined) throw noGitDirectory(root)
  const dir = join(gitDir, 'autopilot')
  await ensureDir(dir, gitDir)
  const left = tookOver && (await stillHeldBy(dir, tookOver))
  const options = { version, name: lockName }
  const acquired = await acquireLock(dir, left === undefined ? options : { ...options, takeover: left })
  if (acquired.kind === 'held') return () => acquired.lock.release()
  const who = acquired.owner ? describeOwner(acquired.owner) : 'an unknown process'
  throw new Problem({
    code: 'locked',
    what: `Another session of this project is running in ${who}.`,
    why: "Two runs in one work tree would commit and review each other's changes.",
    todo: `Wait for it or stop it there, or use a second work tree (git worktree add). Only if that process is gone for certain: remove ${join(dir, lockName)}.`,
  })
}

async function stillHeldBy(dir: string, { pid, startTime }: LockOwner): Promise<string | undefined> {
  const found = await readOwner(dir, lockName)
  const same = found?.owner?.pid === pid && found.owner.startTime === startTime
  return same ? found.lockId : undefined
}

/** True while a process still has the work tree. */
export async function holdsWorktree(root: string, owner: LockOwner): Promise<boolean> {
  const gitDir = await gitDirectory(root)
  return gitDir !== undefined && (await stillHeldBy(join(gitDir, 'autopilot'), owner)) !== undefined
}

function noGitDirectory(root: string): Problem {
  return new Problem({
    code: 'repository',
    what: `The git directory of ${root} cannot be found.`,
    why: 'Progress is committed and reviewed as commits, so there is nothing to work with.',
    todo: 'Repair the repository (git status says what is wrong), then start again.',
  })
}
