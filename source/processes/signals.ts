import { setTimeout as sleep } from 'node:timers/promises'
import { hasEnded, listPids, onLinux, readProcessStat } from './process-stat.js'

// Signals, never to ourselves, never to pid 1 and never to "everybody" (docs/durability.md, "Processes").

/** Signals one process; false when there is none, or it is one that is never signalled. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  return isAllowed(pid) && send(pid, signal)
}

/** Signals the group that a process leads or led; false when there is nobody left in it. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  return isAllowed(group) && send(-group, signal)
}

function isAllowed(pid: number): boolean {
  return Number.isInteger(pid) && pid > 1 && pid !== process.pid
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal)
    return true
  } catch (error) {
    // EPERM: somebody is there, but changed its user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** True as soon as nothing in the group runs any more, false after `withinMs` milliseconds. */
export async function groupGone(group: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  while (await groupRuns(group)) {
    if (performance.now() >= until) return false
    await sleep(20)
  }
  return true
}

async function groupRuns(group: number): Promise<boolean> {
  if (!signalGroup(group, 0)) return false
  if (!onLinux) return true
  // In a container nobody may collect what has ended; such a process can be signalled, but does nothing any more.
  return (await listPids()).some((pid) => {
    const stat = readProcessStat(pid)
    return stat?.group === group && !hasEnded(stat)
  })
}
