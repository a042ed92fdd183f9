import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Problem } from '../problem.js'

export interface Guard {
  readonly pid: number | undefined
  /** Tells the guard that the run ended in order; it exits without touching a process. */
  release(): void
}

/**
 * Starts the process that ends the agents of a run if autopilot itself dies (agents.md section 6). The run id must
 * be new for every start of autopilot, else the guard of a dead one would end the agents of its successor.
 */
export function startGuard(runId: string, program: string = bundledGuard()): Guard {
  if (!existsSync(program)) {
    throw new Problem({
      code: 'agent',
      what: `The guard program is missing: ${program}`,
      why: 'Without it, agents would run on unseen if autopilot were killed.',
      todo: 'Build or install autopilot again (npm ci).',
    })
  }
  const child = spawn(process.execPath, [program, runId], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH ?? '' },
    cwd: '/',
  })
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref()
  return {
    pid: child.pid,
    release() {
      child.stdin?.end('release')
    },
  }
}

/** Bundled chunks and the guard lie beside each other in dist/. */
function bundledGuard(): string {
  return fileURLToPath(new URL('./guard.js', import.meta.url))
}
