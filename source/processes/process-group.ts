import { setTimeout as sleep } from 'node:timers/promises'
import { listPids, readProcessStat } from './process-stat.js'

// Signals to a whole process group, never to ourselves and never to "everybody" (reliability.md section 5).

/** Sends a signal to the group; false when there is nobody left in it. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  if (!Number.isInteger(group) || group <= 1 || group === process.pid) return false
  try {
    process.kill(-group, signal)
    return true
  } catch (error) {
    // EPERM: somebody is there, but changed its user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** True as soon as nothing in the group runs any more, false after `withinMs` milliseconds. */
export async function groupGone(group: number, withinMs: number): Promise<boolean> {
  const until = Date.now() + withinMs
  while (await groupRuns(group)) {
    if (Date.now() >= until) return false
    await sleep(20)
  }
  return true
}

async function groupRuns(group: number): Promise<boolean> {
  if (!signalGroup(group, 0)) return false
  if (process.platform !== 'linux') return true
  // In a container nobody may collect what has ended; such a process can be signalled, but does nothing any more.
  const stats = await Promise.all((await listPids()).map(readProcessStat))
  return stats.some((stat) => stat?.group === group && stat.state !== 'Z' && stat.state !== 'X')
}
