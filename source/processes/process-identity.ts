import { readFile, readlink } from 'node:fs/promises'
import { hasEnded, onLinux, readProcessStat } from './process-stat.js'
import { systemOutput } from './system-tool.js'

// What tells one process from every other one, here and after a restart of the machine (docs/durability.md, "Processes").

export interface RunningProcess {
  /** Compared for equality only; units differ by system. */
  startTime: string
  /** It has ended and only waits to be collected: it cannot write any more. */
  ended: boolean
}

/** Undefined when there is no such process, or the system does not tell. */
export async function runningProcess(pid: number): Promise<RunningProcess | undefined> {
  if (!Number.isInteger(pid) || pid < 1) return undefined
  if (onLinux) {
    const stat = readProcessStat(pid)
    return stat && { startTime: stat.startTime, ended: hasEnded(stat) }
  }
  const startTime = await systemOutput(['ps', '-o', 'lstart=', '-p', String(pid)])
  return startTime === undefined ? undefined : { startTime, ended: false }
}

/** True also for a process that belongs to somebody else. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Not being allowed to signal a process means that it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Changes with every start of the machine; empty where the system does not tell. */
export async function bootId(): Promise<string> {
  if (onLinux) return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim()
  if (process.platform === 'darwin')
    return (await systemOutput(['sysctl', '-n', 'kern.bootsessionuuid'])) ?? ''
  return ''
}

/** Pids mean the same only within one of these; empty where there are none. */
export async function pidNamespace(): Promise<string> {
  return await readlink('/proc/self/ns/pid').catch(() => '')
}

/** Such as `pts/2`; empty without a terminal. */
export async function terminalName(): Promise<string> {
  if (onLinux) {
    const target = await readlink('/proc/self/fd/0').catch(() => '')
    return /^\/dev\/(pts\/\d+|tty\w+)$/.exec(target)?.[1] ?? ''
  }
  if (process.platform !== 'darwin') return ''
  const name = (await systemOutput(['ps', '-o', 'tty=', '-p', String(process.pid)])) ?? ''
  return name.startsWith('?') ? '' : name
}
