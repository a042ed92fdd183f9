import { setTimeout as sleep } from 'node:timers/promises'
import { type Member, rootsOf, signalMembers } from './process-set.js'
import { signalGroup } from './signals.js'

/** How long each rung waits, in milliseconds (docs/durability.md, "Processes"). */
export interface LadderTimes {
  interruptMs: number
  termMs: number
  markedMs: number
  /** Rounds of SIGKILL and scan before giving up; each takes about `pollMs`. */
  killRounds: number
  pollMs: number
}

export const ladderTimes: LadderTimes = {
  interruptMs: 2000,
  termMs: 5000,
  markedMs: 2000,
  killRounds: 100,
  pollMs: 50,
}

/** The guard is quicker: nobody is left to wait for a result, only for tools to be cleaned up. */
export const guardTimes: LadderTimes = { ...ladderTimes, termMs: 2000, markedMs: 1000 }

export interface LadderTarget {
  members(): Promise<Member[]>
  /** Pid of the child that leads its own group, while it has not been waited for. */
  leader?(): number | undefined
  /** Asks the program itself to stop its turn. */
  interrupt?: (() => void) | undefined
  /** Sends it a signal that asks. Default: to the group of the leader. */
  ask?(signal: NodeJS.Signals): boolean
  /** Members that are killed at the end, and never asked. */
  holders?(): readonly number[]
}

/** Ends every member, politely first. Returns the pids that could not be ended, normally none. */
export async function walkLadder(target: LadderTarget, times: LadderTimes = ladderTimes): Promise<number[]> {
  const led = () => target.leader?.() !== undefined
  let left = await target.members()
  if (left.length === 0 && !led()) return []

  if (target.interrupt) {
    target.interrupt()
    await until(() => !led(), times.interruptMs, times.pollMs)
  }

  const leader = target.leader?.()
  if (leader !== undefined) {
    const ask = target.ask ?? ((signal: NodeJS.Signals) => signalGroup(leader, signal))
    const asked = ask('SIGTERM')
    // Suspended as a whole, so woken as a whole.
    signalGroup(leader, 'SIGCONT')
    if (asked) await until(() => !led(), times.termMs, times.pollMs)
  } else if (!target.leader) {
    left = await terminate(rootsOf(await target.members()), target, times.termMs, times.pollMs)
  }

  left = await terminate(await target.members(), target, times.markedMs, times.pollMs)
  for (let round = 0; round < times.killRounds && (left.length > 0 || led()); round += 1) {
    signalMembers(left, 'SIGKILL')
    const stuck = target.leader?.()
    if (stuck !== undefined) signalGroup(stuck, 'SIGKILL')
    await sleep(times.pollMs)
    left = await target.members()
  }
  return left.map((member) => member.pid)
}

/** SIGTERM is only seen by a suspended process once it runs again, hence SIGCONT with it. */
async function terminate(
  members: Member[],
  target: LadderTarget,
  forMs: number,
  pollMs: number,
): Promise<Member[]> {
  const holders = target.holders?.() ?? []
  const asked = members.filter(({ pid }) => !holders.includes(pid))
  if (asked.length === 0) return target.members()
  signalMembers(asked, 'SIGTERM')
  signalMembers(members, 'SIGCONT')
  const deadline = performance.now() + forMs
  let left = await target.members()
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(pollMs)
    left = await target.members()
  }
  return left
}

/** By a clock that nobody sets: a time that is put back would leave an agent alive for as long. */
async function until(done: () => boolean, forMs: number, pollMs: number): Promise<void> {
  const deadline = performance.now() + forMs
  while (!done() && performance.now() < deadline) await sleep(pollMs)
}
