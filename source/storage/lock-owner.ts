import { hostname, userInfo } from 'node:os'
import { basename } from 'node:path'
import * as z from 'zod/mini'
import {
  bootId,
  pidNamespace,
  processExists,
  runningProcess,
  terminalName,
} from '../processes/process-identity.js'

// Who holds a lock, and whether that process is still there: docs/durability.md, "The lock".

const text = z.string()
const whole = z.int()

export const lockOwnerSchema = z.object({
  lockId: z.string().check(z.minLength(1)),
  epoch: whole.check(z.nonnegative()),
  pid: whole,
  /** As the system names it; empty if it does not. Compared for equality only. */
  startTime: text,
  bootId: text,
  pidNs: text,
  hostname: text,
  user: text,
  argv0: text,
  version: text,
  /** ISO time. */
  acquiredAt: text,
  /** Such as `pts/2`; empty without a terminal. */
  tty: text,
})
export type LockOwner = z.infer<typeof lockOwnerSchema>

/** `unknown` is never taken over without a person saying so. */
export type Liveness = 'alive' | 'dead' | 'unknown'

export type Identity = Omit<LockOwner, 'lockId' | 'epoch' | 'version' | 'acquiredAt'>

/** What tells this process from every other one. */
export async function ownIdentity(): Promise<Identity> {
  return {
    pid: process.pid,
    startTime: (await runningProcess(process.pid))?.startTime ?? '',
    bootId: await bootId(),
    pidNs: await pidNamespace(),
    hostname: hostname(),
    user: userName(),
    argv0: basename(process.argv[1] ?? process.argv0),
    tty: await terminalName(),
  }
}

/** The rules of docs/durability.md, "The lock" in their order; the first that matches decides. */
export async function livenessOf(owner: LockOwner | undefined): Promise<Liveness> {
  if (!owner || owner.pid <= 1) return 'unknown'
  if (owner.hostname !== hostname()) return 'unknown'
  const boot = await bootId()
  if (owner.bootId === '' || boot === '') return 'unknown'
  if (owner.bootId !== boot) return 'dead'
  if (owner.pidNs !== (await pidNamespace())) return 'unknown'
  if (!processExists(owner.pid)) return 'dead'
  const running = await runningProcess(owner.pid)
  // It may have ended between the two looks; then the next look says so.
  if (!running || owner.startTime === '') return processExists(owner.pid) ? 'unknown' : 'dead'
  if (running.ended) return 'dead'
  return running.startTime === owner.startTime ? 'alive' : 'dead'
}

/** For people: `pid 123 on pts/2 since 14:02`, with the day if it was another one. */
export function describeOwner(
  owner: Pick<LockOwner, 'pid' | 'hostname' | 'tty' | 'acquiredAt'>,
  now = new Date(),
): string {
  const since = new Date(owner.acquiredAt)
  const place = owner.hostname !== hostname() ? ` on ${owner.hostname}` : owner.tty ? ` on ${owner.tty}` : ''
  if (Number.isNaN(since.getTime())) return `pid ${owner.pid}${place}`
  const two = (value: number) => String(value).padStart(2, '0')
  const time = `${two(since.getHours())}:${two(since.getMinutes())}`
  const day = `${since.getFullYear()}-${two(since.getMonth() + 1)}-${two(since.getDate())} `
  return `pid ${owner.pid}${place} since ${since.toDateString() === now.toDateString() ? '' : day}${time}`
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}
