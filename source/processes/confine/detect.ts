import { onPath } from '../find-program.js'
import { signalGroup } from '../signals.js'
import { startProcess } from '../start-process.js'
import { confinedArgv } from './confined-argv.js'
import type { ConfinementTool } from './confinement.js'

/** What there is to confine with here, or why there is nothing: one sentence. */
export type Detected = { works: true; tool: ConfinementTool } | { works: false; reason: string }

/** Longer than the tool takes on a busy machine, in milliseconds. */
const patienceMs = 20_000

let detected: Promise<Detected> | undefined

/** Found out once by running it; nothing of a project has a part in it. Never throws. */
export async function detectConfinement(): Promise<Detected> {
  detected ??= tryTool()
  return await detected
}

async function tryTool(): Promise<Detected> {
  const kind = process.platform === 'darwin' ? 'sandbox-exec' : 'bubblewrap'
  if (process.platform !== 'linux' && process.platform !== 'darwin')
    return { works: false, reason: `there is no confinement on ${process.platform}` }
  const name = kind === 'bubblewrap' ? 'bwrap' : 'sandbox-exec'
  // Only where the system keeps its programs: what confines agents must not be a program of theirs.
  const program = onPath(name, '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin:/run/wrappers/bin')
  if (program === undefined) return { works: false, reason: `${name} is not installed` }
  return await runOnce({ kind, program })
}

async function runOnce(tool: ConfinementTool): Promise<Detected> {
  const argv = confinedArgv(
    { tool, mounts: [{ kind: 'own', path: '/tmp' }] },
    { file: '/bin/sh', args: ['-c', 'exit 0'], cwd: '/' },
  )
  const trial = startProcess({ argv, cwd: '/', env: { PATH: '/usr/bin:/bin' }, stdin: 'none' })
  let said = ''
  trial.stdout?.resume()
  trial.stderr?.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString('utf8')).slice(0, 300)
  })
  const timer = setTimeout(() => trial.pid !== undefined && signalGroup(trial.pid, 'SIGKILL'), patienceMs)
  const [end] = await Promise.all([trial.exited, trial.closed])
  clearTimeout(timer)
  if (end.code === 0) return { works: true, tool }
  return {
    works: false,
    reason: `${tool.program} does not work here: ${said.trim().split('\n')[0] || 'it failed'}`,
  }
}
