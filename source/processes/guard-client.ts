import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { bundledProgram } from './bundled-program.js'

export interface Guard {
  readonly pid: number | undefined
  /** Tells the guard that the run ended in order; it exits without touching a process. */
  release(): void
}

/**
 * Starts the process that ends the agents of a run if autopilot itself dies (agents.md section 6). The run id must
 * be new for every start of autopilot, else the guard of a dead one would end the agents of its successor.
 */
export function startGuard(runId: string, program: string = bundledProgram('guard')): Guard {
  const child = spawn(process.execPath, [program, runId], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH ?? '' },
    cwd: '/',
  })
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref()
  return {
    pid: child.pid,
    release() {
      child.stdin.end('release')
    },
  }
}
