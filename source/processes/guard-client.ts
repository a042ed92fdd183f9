import { bundledProgram } from './bundled-program.js'
import { startProcess } from './start-process.js'

export interface Guard {
  readonly pid: number | undefined
  /** Tells the guard that the run ended in order; it exits without touching a process. */
  release(): void
}

/**
 * Starts the process that ends the agents of a run if autopilot itself dies (docs/durability.md, "Processes"). The run id must be new
 * for every start of autopilot, else the guard of a dead one would end the agents of its successor.
 */
export function startGuard(runId: string, program: string = bundledProgram('guard')): Guard {
  const guard = startProcess({
    argv: [process.execPath, program, runId],
    cwd: '/',
    env: { PATH: process.env.PATH ?? '' },
    output: 'none',
  })
  guard.unref()
  return {
    pid: guard.pid,
    release() {
      guard.stdin?.end('release')
    },
  }
}
