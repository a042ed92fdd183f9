import { type ChildProcess, spawn } from 'node:child_process'
import { createLineSplitter } from './jsonl.js'
import { type LadderTimes, ladderTimes, walkLadder } from './ladder.js'
import {
  dispatchMark,
  dispatchMarker,
  membersOf,
  remembering,
  runMarker,
  signalMembers,
} from './process-set.js'
import { startWatchdogs, type WatchdogLimits, type WatchdogName } from './watchdogs.js'

/** Bytes of stderr that are kept for the error message (agents.md section 1). */
export const stderrTailBytes = 16 * 1024

/** How long output may come in after the exit while somebody else holds the pipe, in milliseconds. */
const lingerMs = 1000

export interface ChildSpec {
  file: string
  args: string[]
  cwd: string
  /** Complete environment; only the markers are added to it. */
  env: Record<string, string>
  runId: string
  dispatchId: string
  /** Written to stdin, followed by end of input; absent: stdin stays open for `write`. */
  input?: string
  limits: WatchdogLimits
  /** Every byte in and out, before it is parsed. */
  raw(stream: 'stdout' | 'stderr' | 'stdin', bytes: Buffer): void
  /** A whole line of stdout. `terminated` is false for a last line without a line feed. */
  line(text: string, terminated: boolean): void
  errorLine(text: string): void
  /** A line was too long to keep. */
  skipped(stream: 'stdout' | 'stderr', bytes: number): void
  /** The first rung of the stop ladder, if the program has one of its own. */
  interrupt?(): void
  times?: LadderTimes
}

/** Why autopilot ended a child itself. */
export type StopReason = 'aborted' | WatchdogName

export interface ChildExit {
  code: number | null
  signal: NodeJS.Signals | null
  /** The program could not be started at all. */
  spawnError?: NodeJS.ErrnoException
  stopped?: StopReason
  /** Last part of stderr, as text. */
  stderrTail: string
  /** Bytes on stdout. */
  outputBytes: number
  /** Processes that outlived the program and were ended. */
  leftovers: number
  /** Pids that could not be ended; normally none. */
  unkillable: number[]
}

export interface Child {
  readonly pid: number | undefined
  /** Settles when the program and everything it left behind is gone. Never rejects. */
  readonly exit: Promise<ChildExit>
  /** False when the pipe is closed. */
  write(text: string): boolean
  endInput(): void
  touch(): void
  busy(on: boolean): void
  /** Suspends or continues every process of this dispatch. */
  pause(on: boolean): Promise<void>
  /** Walks the stop ladder; the first reason given stays. */
  stop(reason: StopReason): Promise<ChildExit>
}

/** Starts a program in a process group of its own and answers for every process that it starts. */
export function startChild(spec: ChildSpec): Child {
  const mark = dispatchMark(spec.runId, spec.dispatchId)
  const env = { ...spec.env, [runMarker]: spec.runId, [dispatchMarker]: mark }
  const spawned = trySpawn(spec, env)
  if (!('child' in spawned)) return unstarted(spawned.error)
  const { child } = spawned

  const output = watchOutput(child, spec)
  let stopped: StopReason | undefined
  let walking: Promise<number[]> | undefined
  let unkillable: number[] = []
  let ended = false
  let finished = false

  const isAlive = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null
  const leader = () => (isAlive() ? child.pid : undefined)
  const members = remembering(() => membersOf(spec.runId, spec.dispatchId, leader()))

  const watchdogs = startWatchdogs(spec.limits, (name) => void stop(name))

  function stop(reason: StopReason): Promise<ChildExit> {
    if (finished) return exit
    if (!ended) stopped ??= reason
    watchdogs.stop()
    walking ??= walkLadder({ members, leader, interrupt: spec.interrupt }, spec.times ?? ladderTimes)
    return exit
  }

  const exit = endOf(child, output.closed).then(async (end): Promise<ChildExit> => {
    watchdogs.stop()
    ended = true
    const left = end.spawnError ? [] : await members()
    if (walking) unkillable = await walking
    else if (left.length > 0) unkillable = await walkLadder({ members }, spec.times ?? ladderTimes)
    await Promise.race([output.closed, delay(lingerMs)])
    finished = true
    output.finish()
    child.stdin?.destroy()
    return { ...end, stopped, unkillable, leftovers: left.length, ...output.summary() }
  })

  child.stdin?.on('error', () => {
    // The program closed its stdin early, which it may; what it does then decides.
  })
  const write = (text: string): boolean => {
    if (!child.stdin?.writable) return false
    const bytes = Buffer.from(text)
    spec.raw('stdin', bytes)
    child.stdin.write(bytes)
    return true
  }
  if (spec.input !== undefined) {
    write(spec.input)
    child.stdin?.end()
  }

  return {
    pid: child.pid,
    exit,
    write,
    endInput: () => child.stdin?.end(),
    touch: () => watchdogs.touch(),
    busy: (on) => watchdogs.busy(on),
    async pause(on) {
      watchdogs.pause(on)
      if (!on) return signalMembers((await members()).reverse(), 'SIGCONT')
      signalMembers(await members(), 'SIGSTOP')
      // Once more, for a child that was started between the scan and the signal.
      signalMembers(await members(), 'SIGSTOP')
    },
    stop,
  }
}

/** A long argument list makes `spawn` throw, a missing program makes it emit; both end as a spawn error. */
function trySpawn(
  spec: ChildSpec,
  env: Record<string, string>,
): { child: ChildProcess } | { error: NodeJS.ErrnoException } {
  try {
    const child = spawn(spec.file, spec.args, { cwd: spec.cwd, env, detached: true, stdio: 'pipe' })
    return { child }
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}

function unstarted(spawnError: NodeJS.ErrnoException): Child {
  const exit = Promise.resolve<ChildExit>({
    code: null,
    signal: null,
    spawnError,
    stderrTail: '',
    outputBytes: 0,
    leftovers: 0,
    unkillable: [],
  })
  return {
    pid: undefined,
    exit,
    write: () => false,
    endInput: () => {},
    touch: () => {},
    busy: () => {},
    pause: async () => {},
    stop: () => exit,
  }
}

type End = Pick<ChildExit, 'code' | 'signal' | 'spawnError'>

/** Settles on exit plus the end of output or a second, whichever is first: an orphan may hold the pipe. */
function endOf(child: ChildProcess, closed: Promise<void>): Promise<End> {
  return new Promise((resolve) => {
    child.once('error', (spawnError: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, spawnError })
    })
    child.once('exit', (code, signal) => {
      void Promise.race([closed, delay(lingerMs)]).then(() => resolve({ code, signal }))
    })
  })
}

interface Output {
  closed: Promise<void>
  /** Hands over last lines and lets go of the pipes. */
  finish(): void
  summary(): { stderrTail: string; outputBytes: number }
}

function watchOutput(child: ChildProcess, spec: ChildSpec): Output {
  let outputBytes = 0
  let tail: Buffer = Buffer.alloc(0)
  let finished = false
  const stdout = createLineSplitter({
    line: spec.line,
    skipped: (bytes) => spec.skipped('stdout', bytes),
  })
  const stderr = createLineSplitter({
    line: spec.errorLine,
    skipped: (bytes) => spec.skipped('stderr', bytes),
  })

  child.stdout?.on('data', (bytes: Buffer) => {
    if (finished) return
    outputBytes += bytes.length
    spec.raw('stdout', bytes)
    stdout.push(bytes)
  })
  child.stderr?.on('data', (bytes: Buffer) => {
    if (finished) return
    spec.raw('stderr', bytes)
    tail = Buffer.concat([tail, bytes]).subarray(-stderrTailBytes)
    stderr.push(bytes)
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('error', () => {})

  return {
    closed: new Promise((resolve) => child.once('close', () => resolve())),
    finish() {
      if (finished) return
      finished = true
      stdout.end()
      stderr.end()
      child.stdout?.destroy()
      child.stderr?.destroy()
    },
    summary: () => ({ stderrTail: tail.toString('utf8'), outputBytes }),
  }
}

/** A timer that does not keep the program alive by itself. */
function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
