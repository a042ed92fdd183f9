import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { errorCode } from './storage-problem.js'

// Who holds a lock, and whether that process is still there: reliability.md section 4.

export const lockOwnerSchema = z.object({
  lockId: z.string().min(1),
  epoch: z.int().nonnegative(),
  pid: z.int(),
  /** As the system names it; empty if it does not. Compared for equality only. */
  startTime: z.string(),
  bootId: z.string(),
  pidNs: z.string(),
  hostname: z.string(),
  user: z.string(),
  argv0: z.string(),
  version: z.string(),
  /** ISO time. */
  acquiredAt: z.string(),
  /** Such as `pts/2`; empty without a terminal. */
  tty: z.string(),
})
export type LockOwner = z.infer<typeof lockOwnerSchema>

/** `unknown` is never taken over without a person saying so. */
export type Liveness = 'alive' | 'dead' | 'unknown'

export type Identity = Omit<LockOwner, 'lockId' | 'epoch' | 'version' | 'acquiredAt'>

/** What tells this process from every other one. */
export async function ownIdentity(): Promise<Identity> {
  return {
    pid: process.pid,
    startTime: (await startTimeOf(process.pid))?.startTime ?? '',
    bootId: await bootId(),
    pidNs: await readlink('/proc/self/ns/pid').catch(() => ''),
    hostname: hostname(),
    user: userName(),
    argv0: basename(process.argv[1] ?? process.argv0),
    tty: await terminalName(),
  }
}

/** The rules of section 4 in their order; the first that matches decides. */
export async function livenessOf(owner: LockOwner | undefined): Promise<Liveness> {
  if (!owner || owner.pid <= 1) return 'unknown'
  if (owner.hostname !== hostname()) return 'unknown'
  const boot = await bootId()
  if (owner.bootId === '' || boot === '') return 'unknown'
  if (owner.bootId !== boot) return 'dead'
  if (owner.pidNs !== (await readlink('/proc/self/ns/pid').catch(() => ''))) return 'unknown'
  if (!processExists(owner.pid)) return 'dead'
  const running = await startTimeOf(owner.pid)
  // It may have ended between the two looks; then the next look says so.
  if (!running || owner.startTime === '') return processExists(owner.pid) ? 'unknown' : 'dead'
  if (running.ended) return 'dead'
  return running.startTime === owner.startTime ? 'alive' : 'dead'
}

/** For people: `pid 123 on pts/2 since 14:02`, with the day if it was another one. */
export function describeOwner(owner: LockOwner, now = new Date()): string {
  const since = new Date(owner.acquiredAt)
  const place = owner.hostname !== hostname() ? ` on ${owner.hostname}` : owner.tty ? ` on ${owner.tty}` : ''
  if (Number.isNaN(since.getTime())) return `pid ${owner.pid}${place}`
  const two = (value: number) => String(value).padStart(2, '0')
  const time = `${two(since.getHours())}:${two(since.getMinutes())}`
  const day = `${since.getFullYear()}-${two(since.getMonth() + 1)}-${two(since.getDate())} `
  return `pid ${owner.pid}${place} since ${since.toDateString() === now.toDateString() ? '' : day}${time}`
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Not being allowed to signal a process means that it is there.
    return errorCode(error) === 'EPERM'
  }
}

interface RunningProcess {
  startTime: string
  /** It has ended and only waits to be collected: it cannot write any more. */
  ended: boolean
}

async function startTimeOf(pid: number): Promise<RunningProcess | undefined> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
    return stat === undefined ? undefined : parseProcStat(stat)
  }
  const started = await output('ps', ['-o', 'lstart=', '-p', String(pid)])
  return started ? { startTime: started, ended: false } : undefined
}

/** Field 22 of /proc/<pid>/stat. The name in field 2 may hold anything, so fields count from its last `)`. */
export function parseProcStat(stat: string): RunningProcess | undefined {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 1)
    .trim()
    .split(' ')
  const [state, startTime] = [fields[0], fields[19]]
  if (state === undefined || startTime === undefined) return undefined
  return { startTime, ended: state === 'Z' || state === 'X' }
}

async function bootId(): Promise<string> {
  if (process.platform === 'linux') {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim()
  }
  if (process.platform === 'darwin') return (await output('sysctl', ['-n', 'kern.bootsessionuuid'])) ?? ''
  return ''
}

async function terminalName(): Promise<string> {
  if (process.platform === 'linux') {
    const target = await readlink('/proc/self/fd/0').catch(() => '')
    return /^\/dev\/(pts\/\d+|tty\w+)$/.exec(target)?.[1] ?? ''
  }
  if (process.platform === 'darwin') {
    const name = (await output('ps', ['-o', 'tty=', '-p', String(process.pid)])) ?? ''
    return name.startsWith('?') ? '' : name
  }
  return ''
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}

async function output(command: string, args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, args, {
      env: { PATH: '/usr/bin:/bin:/usr/sbin', LC_ALL: 'C' },
    })
    return stdout.trim() || undefined
  } catch {
    return undefined
  }
}
