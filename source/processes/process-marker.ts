import { listPids, onLinux, readProcessEnvironment } from './process-stat.js'
import { systemOutput } from './system-tool.js'

// Finding the processes of a run again by a marker in their environment (docs/durability.md, "Processes").

/**
 * Ids of all processes whose environment holds `<name>=<value>`, this one excepted. Processes of other users cannot
 * be looked into and are not found.
 */
export async function findMarked(value: string, name = 'AUTOPILOT_RUN_ID'): Promise<number[]> {
  const marker = `${name}=${value}`
  if (value === '' || marker.includes('\0')) return []
  const found = onLinux ? await scanProc(marker) : await scanPs(marker)
  return found.filter((pid) => pid !== process.pid).sort((a, b) => a - b)
}

async function scanProc(marker: string): Promise<number[]> {
  // Environments are bytes: both sides are compared byte by byte.
  const wanted = Buffer.from(marker, 'utf8').toString('latin1')
  const carries = async (pid: number) => ((await readProcessEnvironment(pid)).includes(wanted) ? [pid] : [])
  return (await Promise.all((await listPids()).map(carries))).flat()
}

async function scanPs(marker: string): Promise<number[]> {
  const listed = (await systemOutput(['ps', 'eww', '-ax', '-o', 'pid=,command='])) ?? ''
  return listed
    .split('\n')
    .filter((line) => ` ${line} `.includes(` ${marker} `))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid > 1)
}
