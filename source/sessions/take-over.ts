import { setTimeout as sleep } from 'node:timers/promises'
import { endProcesses } from '../processes/end-processes.js'
import { membersOf } from '../processes/process-set.js'
import type { LockOwner } from '../storage/lock.js'
import { holdsWorktree } from './worktree-lock.js'

// A session that was taken from a living process (docs/durability.md, "The lock").

const patienceMs = 5000
const pollMs = 100

/**
 * Waits until the process that had the session has let go of it: it looks at its lock, ends its agents and leaves.
 * One that has not after five seconds does not hear; then its agents are ended by their marker. `pause` waits for so many
 * milliseconds.
 */
export async function waitForLetGo(
  root: string,
  owner: LockOwner,
  runIds: readonly string[],
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<void> {
  for (let waited = 0; waited < patienceMs; waited += pollMs) {
    if (!(await holdsWorktree(root, owner)) && (await workers(runIds)) === 0) return
    await pause(pollMs)
  }
  await endProcesses(runIds)
}

async function workers(runIds: readonly string[]): Promise<number> {
  return (await Promise.all(runIds.map((runId) => membersOf(runId)))).flat().length
}
