import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/** Name of the environment variable that every process of a run carries (agents.md section 6). */
export const runMarkerName = 'AUTOPILOT_RUN_ID'

/**
 * Pids of all processes that carry the marker of a run, whatever group or session they are in. Processes of other
 * users cannot be read and are not ours. Never contains the asking process.
 */
export async function findMarked(runId: string): Promise<number[]> {
  if (runId === '') return []
  const found = process.platform === 'linux' ? await scanProc(runId) : await scanPs(runId)
  return found.filter((pid) => pid > 1 && pid !== process.pid)
}

async function scanProc(runId: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const marked = await Promise.all(
    pids.map(async (pid) => ((await hasMarker(pid, runId)) ? [Number(pid)] : [])),
  )
  return marked.flat()
}

async function hasMarker(pid: string, runId: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`)
    return `\0${environment.toString('latin1')}`.includes(`\0${runMarkerName}=${runId}\0`)
  } catch {
    return false
  }
}

function scanPs(runId: string): Promise<number[]> {
  return new Promise((resolve) => {
    execFile('ps', ['eww', '-axo', 'pid,command'], { maxBuffer: 64 * 1024 * 1024 }, (_error, output) => {
      const marker = ` ${runMarkerName}=${runId} `
      const lines = output.split('\n').filter((line) => `${line} `.includes(marker))
      resolve(lines.map((line) => Number.parseInt(line, 10)).filter(Number.isInteger))
    })
  })
}
