import { readFile } from 'node:fs/promises'
import { runCommand } from './commands.js'
import { listPids, readProcessStat } from './process-stat.js'

// Finding the processes of a run again by a marker in their environment (design.md section 4).

const psTimeoutMs = 10_000
const psCapBytes = 32 * 1024 * 1024

/**
 * Ids of all processes whose environment holds `<name>=<value>`, this one excepted. Processes of other users cannot
 * be looked into and are not found.
 */
export async function findMarked(value: string, name = 'AUTOPILOT_RUN_ID'): Promise<number[]> {
  const marker = `${name}=${value}`
  if (value === '' || marker.includes('\0')) return []
  const found = process.platform === 'linux' ? await scanProc(marker) : await scanPs(marker)
  return found.filter((pid) => pid !== process.pid).sort((a, b) => a - b)
}

async function scanProc(marker: string): Promise<number[]> {
  const carries = async (pid: number) => {
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0))
    return environment.toString('latin1').split('\0').includes(latin1(marker)) ? [pid] : []
  }
  return (await Promise.all((await listPids()).map(carries))).flat()
}

// Environments are bytes: both sides are compared byte by byte.
function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

async function scanPs(marker: string): Promise<number[]> {
  const result = await runCommand(['ps', 'eww', '-ax', '-o', 'pid=,command='], {
    cwd: '/',
    timeoutMs: psTimeoutMs,
    outputCap: psCapBytes,
  })
  return result.stdout
    .split('\n')
    .filter((line) => ` ${line} `.includes(` ${marker} `))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid > 1)
}

/** Tells a process from a later one with the same pid; undefined when there is none. Units differ by system. */
export async function processStartTime(pid: number): Promise<string | undefined> {
  if (!Number.isInteger(pid) || pid <= 1) return undefined
  if (process.platform === 'linux') return (await readProcessStat(pid))?.startTime
  const result = await runCommand(['ps', '-o', 'lstart=', '-p', String(pid)], {
    cwd: '/',
    timeoutMs: psTimeoutMs,
    outputCap: 4_096,
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
  })
  return result.stdout.trim() || undefined
}
