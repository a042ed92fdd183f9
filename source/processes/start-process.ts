import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { confinedArgv } from './confine/confined-argv.js'
import { confinedPids } from './confine/confined-pids.js'
import type { Confinement } from './confine/confinement.js'
import { pinnedOnPath } from './find-program.js'
import { programPath } from './program-path.js'
import { signalGroup, signalProcess } from './signals.js'

// The one door through which every process of autopilot is started. What is to hold for all of them (where a program
// may lie, what is compared before it runs, what it is confined to) belongs into `admit` and nowhere else.

/** A name and a value in the environment of a process, by which it and all that it starts are found again. */
export interface Mark {
  name: string
  value: string
}

export interface ProcessSpec {
  /** Program and arguments. A bare name is looked for in `env.PATH` outside of the project, else from `cwd`. */
  argv: readonly string[]
  cwd: string
  /** Complete: nothing is inherited beside it. */
  env: Readonly<Record<string, string>>
  marks?: readonly Mark[]
  /** What the system keeps it and all that it starts to. Default: nothing but the rights of the user. */
  confinement?: Confinement
  /** `none` is an empty input. Default: a pipe that stays open. */
  stdin?: 'pipe' | 'none'
  /** Default: pipes. */
  output?: 'pipe' | 'none'
}

/** How a process ended; `code` and `signal` are null and `spawnError` is set where it never began. */
export interface ProcessEnd {
  code: number | null
  signal: NodeJS.Signals | null
  spawnError?: NodeJS.ErrnoException
}

export interface StartedProcess {
  /** Leads a process group of the same number. Undefined where nothing was started. */
  readonly pid: number | undefined
  readonly stdin: Writable | undefined
  readonly stdout: Readable | undefined
  readonly stderr: Readable | undefined
  /** Settles when the process is gone, or at once where it could not be started. Never rejects. */
  readonly exited: Promise<ProcessEnd>
  /** Settles when the process is gone and nobody holds its pipes any more. */
  readonly closed: Promise<void>
  /** True until its end was collected: so long its pid is its own. */
  isRunning(): boolean
  /**
   * A signal that asks: to its group; where it is confined to the program alone, as one to the group would end the
   * confinement before the program hears of it. False where there is nobody to ask.
   */
  ask(signal: NodeJS.Signals): boolean
  /** Processes that hold the confinement: to be killed at the end, and never asked. */
  holders(): readonly number[]
  /** Lets autopilot end without waiting for it. */
  unref(): void
}

/** Starts a program without a shell, in a process group of its own. Never throws: look at `exited`. */
export function startProcess(spec: ProcessSpec): StartedProcess {
  const admitted = admit(spec)
  if ('refused' in admitted) return unstarted(admitted.refused)
  const input = spec.stdin === 'none' ? 'ignore' : 'pipe'
  const output = spec.output === 'none' ? 'ignore' : 'pipe'
  try {
    const child = spawn(admitted.file, admitted.args, {
      cwd: spec.cwd,
      env: admitted.env,
      detached: true,
      stdio: [input, output, output],
    })
    return started(child, spec.confinement !== undefined)
  } catch (error) {
    // Such as an argument that is too long for the system; a missing directory is told by an event instead.
    return unstarted(error instanceof Error ? error : new Error(String(error)))
  }
}

interface Admitted {
  file: string
  args: string[]
  env: Record<string, string>
}

function admit(spec: ProcessSpec): Admitted | { refused: NodeJS.ErrnoException } {
  const [name = '', ...args] = spec.argv
  // One that is named by its path is left to the system, which tells missing from not permitted.
  const file = name.includes('/') ? resolve(spec.cwd, name) : pinnedOnPath(name, spec.env.PATH, spec.cwd)
  if (file === undefined) return { refused: refusal(name, 'ENOENT') }
  const env = { ...spec.env }
  if (env.PATH !== undefined) env.PATH = programPath(env.PATH, spec.cwd)
  for (const { name: key, value } of spec.marks ?? []) env[key] = value
  return spec.confinement ? confined(spec, { file, args, env }, spec.confinement) : { file, args, env }
}

function confined(
  { cwd }: ProcessSpec,
  { file, args, env }: Admitted,
  confinement: Confinement,
): Admitted | { refused: NodeJS.ErrnoException } {
  // The tool would be started in its place, and its own exit code tell nothing of what is missing.
  const missing = startError(file, cwd)
  if (missing !== undefined) return { refused: refusal(file, missing) }
  const [tool = '', ...rest] = confinedArgv(confinement, { file, args, cwd })
  return { file: tool, args: rest, env: { ...env, TMPDIR: '/tmp' } }
}

function startError(file: string, cwd: string): 'ENOENT' | 'EACCES' | undefined {
  if (!(statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ?? false)) return 'ENOENT'
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return 'ENOENT'
  try {
    accessSync(file, constants.X_OK)
    return found.isFile() ? undefined : 'EACCES'
  } catch {
    return 'EACCES'
  }
}

function refusal(name: string, code: 'ENOENT' | 'EACCES'): NodeJS.ErrnoException {
  return Object.assign(new Error(`spawn ${name} ${code}`), { code })
}

function started(child: ChildProcess, isConfined: boolean): StartedProcess {
  // A program that closes its input early may do so; what it does then decides.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => {})
  const exited = new Promise<ProcessEnd>((settle) => {
    child.once('error', (spawnError) => {
      if (child.pid === undefined) settle({ code: null, signal: null, spawnError })
    })
    child.once('exit', (code, signal) => settle({ code, signal }))
  })
  const closed = new Promise<void>((settle) => child.once('close', () => settle()))
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null
  const pids = () =>
    isConfined && isRunning() && child.pid !== undefined ? confinedPids(child.pid) : undefined
  return {
    pid: child.pid,
    stdin: child.stdin ?? undefined,
    stdout: child.stdout ?? undefined,
    stderr: child.stderr ?? undefined,
    exited,
    closed,
    isRunning,
    ask(signal) {
      if (!isRunning() || child.pid === undefined) return false
      if (!isConfined) return signalGroup(child.pid, signal)
      const program = pids()?.program
      return program !== undefined && signalProcess(program, signal)
    },
    holders: () => pids()?.holders ?? [],
    unref() {
      child.unref()
      for (const stream of [child.stdin, child.stdout, child.stderr]) unrefStream(stream)
    },
  }
}

/** Pipes to a child are sockets, which keep the program alive as well. */
export function unrefStream(stream: unknown): void {
  if (typeof stream !== 'object' || stream === null || !('unref' in stream)) return
  if (typeof stream.unref === 'function') stream.unref()
}

function unstarted(spawnError: NodeJS.ErrnoException): StartedProcess {
  return {
    pid: undefined,
    stdin: undefined,
    stdout: undefined,
    stderr: undefined,
    exited: Promise.resolve({ code: null, signal: null, spawnError }),
    closed: Promise.resolve(),
    isRunning: () => false,
    ask: () => false,
    holders: () => [],
    unref() {},
  }
}
