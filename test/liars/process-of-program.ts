import { type ChildProcess, spawn } from 'node:child_process'
import type { FromProgram, ToProgram } from './headless-ui.js'
import type { FromWarm, Job } from './warm.js'

// The process that a run of the program lives in: one of its own, or a warm one that has had runs before.

export interface ProcessOfProgram {
  readonly pid: number
  send(message: ToProgram): void
  kill(): void
  /** Resolves when the run is over, whichever way. */
  readonly over: Promise<void>
}

export interface Heard {
  message(message: FromProgram): void
  stderr(text: string): void
  over(code: number | null, signal: string | null): void
}

export interface Command {
  /** Script of the program. */
  program: string
  argv: string[]
  cwd: string
  env: Record<string, string>
}

const open = (script: string, args: string[], options: { cwd?: string; env: Record<string, string> }) =>
  spawn(process.execPath, [script, ...args], { ...options, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })

/** A process for this run alone. */
export function startOwn({ program, argv, cwd, env }: Command, heard: Heard): ProcessOfProgram {
  const child = open(program, argv, { cwd, env })
  child.on('message', (message: FromProgram) => heard.message(message))
  child.stderr?.setEncoding('utf8').on('data', heard.stderr)
  const over = new Promise<void>((resolve) => {
    child.on('close', (code, signal) => {
      heard.over(code, signal)
      resolve()
    })
  })
  return handle(child, over)
}

/** Runs that one process serves before another takes its place: what they leave in it stays little. */
const mostRuns = 50

interface Warm {
  child: ChildProcess
  runs: number
}

const idle: Warm[] = []

/** A run in a process that has had others before it. */
export function startWarm({ program, argv, cwd, env }: Command, heard: Heard): ProcessOfProgram {
  const warm = idle.pop() ?? { child: open(program, [], { env: {} }), runs: 0 }
  const { child } = warm
  warm.runs += 1
  let began = false
  const over = new Promise<void>((resolve) => {
    const onMessage = (message: FromProgram | FromWarm) => {
      if (message.kind === 'began') began = true
      else if (message.kind === 'ended') end(message.code, null)
      else if (began) heard.message(message)
    }
    const onClose = (code: number | null, signal: string | null) => end(code, signal)
    child.on('message', onMessage).on('close', onClose)
    child.stderr?.setEncoding('utf8').on('data', heard.stderr)

    function end(code: number | null, signal: string | null): void {
      child.off('message', onMessage).off('close', onClose)
      child.stderr?.off('data', heard.stderr)
      const lives = child.exitCode === null && child.signalCode === null && child.connected
      if (lives && warm.runs < mostRuns) idle.push(warm)
      else child.kill('SIGKILL')
      heard.over(code, signal)
      resolve()
    }
  })
  child.send({ kind: 'run', argv, cwd, env } satisfies Job, () => undefined)
  return handle(child, over)
}

function handle(child: ChildProcess, over: Promise<void>): ProcessOfProgram {
  return {
    pid: child.pid ?? 0,
    send: (message) => void (child.connected && child.send(message, () => undefined)),
    kill: () => void child.kill('SIGKILL'),
    over,
  }
}
