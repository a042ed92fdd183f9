import { boundedText } from './bounded-text.js'
import type { Confinement } from './confine/confinement.js'
import { endMarked } from './end-processes.js'
import { childEnvironment } from './environment.js'
import { findProgram } from './find-program.js'
import { groupGone, signalGroup } from './signals.js'
import {
  type Mark,
  type ProcessEnd,
  type StartedProcess,
  startProcess,
  unrefStream,
} from './start-process.js'

// Running programs to their end (docs/durability.md, "Trust").

const pipeGraceMs = 1_000
const killGraceMs = 2_000

export interface CommandOptions {
  cwd: string
  timeoutMs: number
  /** Bytes kept per stream; what goes beyond is dropped, and `truncated` says so. */
  outputCap: number
  /** The complete environment of the child. Default: `childEnvironment()`. */
  env?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
  /** Written to stdin, which is empty without it. */
  input?: string | Buffer | undefined
  /** Which end of an output over the cap is kept. Default: the tail. */
  keep?: 'head' | 'tail'
  /** Every byte of both streams as it comes, until the command has ended. */
  output?(bytes: Buffer): void
  /** Leave processes of the group alone that outlive the command. Default: they are ended. */
  leaveChildren?: boolean
  /** Carried by all that the command starts, so that nobody escapes when it is stopped. */
  mark?: Mark
  /** Looks before anything is started whether it may be, and throws where not. */
  guard?: (() => Promise<void>) | undefined
  /** What the system keeps it to. */
  confinement?: Confinement | undefined
  /** Pause between SIGTERM and SIGKILL when the command is stopped, in milliseconds; 0 goes without SIGTERM. */
  graceMs?: number
}

export interface CommandResult {
  /** Null when a signal ended it or it did not start. */
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  timedOut: boolean
  /** The program was not found or may not be executed; nothing ran. */
  missing: boolean
  truncated: boolean
}

/**
 * Runs a program without a shell, in its own process group, and settles when it has exited. On a timeout or an abort
 * the whole group is ended. Never throws for what the program does: look at the result. What `guard` throws is passed on, and nothing ran.
 */
export async function runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandResult> {
  await options.guard?.()
  const env = options.env ?? childEnvironment()
  const program = findProgram(argv[0], options.cwd, env.PATH)
  if (!program || options.signal?.aborted) return notRun(!program)
  const child = startProcess({
    argv: [program, ...argv.slice(1)],
    cwd: options.cwd,
    env,
    // An empty file, not a pipe: bash takes a pipe of ours for a network login and runs the user's start-up file.
    stdin: options.input === undefined ? 'none' : 'pipe',
    ...(options.mark ? { marks: [options.mark] } : {}),
    ...(options.confinement ? { confinement: options.confinement } : {}),
  })
  const streams = collect(child, options)
  child.stdin?.end(options.input)
  const { end, timedOut } = await stopped(child, options)
  streams.finish()
  return {
    code: end.code,
    signal: end.signal,
    ...streams.texts(),
    timedOut,
    missing: end.spawnError !== undefined,
  }
}

function notRun(missing: boolean): CommandResult {
  return { code: null, signal: null, stdout: '', stderr: '', timedOut: false, missing, truncated: false }
}

/** Waits for the end, and brings it about when the time is up or nobody wants it any more. */
async function stopped(
  child: StartedProcess,
  options: CommandOptions,
): Promise<{ end: ProcessEnd; timedOut: boolean }> {
  let timedOut = false
  let ending: Promise<void> | undefined
  const stop = () => {
    ending ??= endAll(child, options)
  }
  const timer = setTimeout(() => {
    timedOut = true
    stop()
  }, options.timeoutMs)
  options.signal?.addEventListener('abort', stop, { once: true })
  const end = await child.exited
  // Finished is the exit, not the end of the pipes: a child that was left behind may hold them for ever.
  await within(child.closed, pipeGraceMs)
  clearTimeout(timer)
  options.signal?.removeEventListener('abort', stop)
  if (!options.leaveChildren) stop()
  await ending
  return { end, timedOut }
}

async function endAll(child: StartedProcess, options: CommandOptions): Promise<void> {
  if (child.pid !== undefined) await endGroup(child, child.pid, options.graceMs ?? killGraceMs)
  if (options.mark) await endMarked([options.mark], 0, { ownMark: true })
}

async function endGroup(child: StartedProcess, group: number, graceMs: number): Promise<void> {
  if (graceMs > 0) {
    // Of one that has ended the rest of its group is asked.
    const asked = child.isRunning() ? child.ask('SIGTERM') : signalGroup(group, 'SIGTERM')
    if (!asked && !child.isRunning()) return
    if (asked && (await groupGone(group, graceMs))) return
  }
  if (!signalGroup(group, 'SIGKILL')) return
  await groupGone(group, killGraceMs)
}

function collect(child: StartedProcess, options: CommandOptions) {
  const { outputCap, keep = 'tail', leaveChildren = false } = options
  const stdout = boundedText(outputCap, keep)
  const stderr = boundedText(outputCap, keep)
  let open = true
  const listen = (stream: StartedProcess['stdout'], kept: typeof stdout) =>
    stream?.on('data', (bytes: Buffer) => {
      if (!open) return
      kept.add(bytes)
      options.output?.(bytes)
    })
  listen(child.stdout, stdout)
  listen(child.stderr, stderr)
  return {
    finish() {
      open = false
      for (const stream of [child.stdout, child.stderr]) {
        // Read on without keeping it: what was left running must not die of a broken pipe.
        if (leaveChildren) unrefStream(stream)
        else stream?.destroy()
      }
    },
    texts: () => ({
      stdout: stdout.text(),
      stderr: stderr.text(),
      truncated: stdout.truncated() || stderr.truncated(),
    }),
  }
}

async function within(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([promise, late])
  clearTimeout(timer)
}
