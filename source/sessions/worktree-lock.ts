import { join } from 'node:path'
import { Problem } from '../problem.js'
import { sessionsDir } from '../project/paths.js'
import { ensureDir } from '../storage/contained-path.js'
import { acquireLock, describeOwner } from '../storage/lock.js'
import { version } from '../version.js'

const lockName = 'worktree.lock.json'

/** One run at a time in a work tree: two would commit each other's changes (reliability.md section 4). */
export async function lockWorktree(root: string): Promise<() => Promise<void>> {
  const dir = join(root, sessionsDir)
  await ensureDir(dir, root)
  const acquired = await acquireLock(dir, { version, name: lockName })
  if (acquired.kind === 'held') return () => acquired.lock.release()
  const who = acquired.owner ? describeOwner(acquired.owner) : 'an unknown process'
  throw new Problem({
    code: 'locked',
    what: `Another session of this project is running in ${who}.`,
    why: 'Two runs in one work tree would commit and review each other’s changes.',
    todo: `Wait for it or stop it there, or use a second work tree (git worktree add). Only if that process is gone for certain: remove ${sessionsDir}/${lockName}.`,
  })
}
