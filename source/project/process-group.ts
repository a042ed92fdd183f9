import { setTimeout as sleep } from 'node:timers/promises'

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

/** True as soon as the group is empty, false after `withinMs` milliseconds. */
export async function groupGone(group: number, withinMs: number): Promise<boolean> {
  const until = Date.now() + withinMs
  while (signalGroup(group, 0)) {
    if (Date.now() >= until) return false
    await sleep(15)
  }
  return true
}
