import type { Confinement } from './confine/confinement.js'
import { createLineSplitter } from './jsonl.js'
import { type LadderTimes, ladderTimes, walkLadder } from './ladder.js'
import { dispatchMarks, type Member, membersOfDispatch, remembering, signalMembers } from './process-set.js'
import { type ProcessEnd, type StartedProcess, startProcess } from './start-process.js'
import { startWatchdogs, type WatchdogLimits, type WatchdogName, type Watchdogs } from './watchdogs.js'

/** Bytes of stderr that are kept for the error message (docs/agents.md, "Results"). */
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
  confinement?: Confinement
  /** Written to stdin, followed by end of input; absent: stdin stays open for `write`. */
  input?: string
  limits: WatchdogLimits
  /** Every byte in and out, before it is parsed. */
  raw(stream: 'stdout' | 'stderr' | 'stdin', bytes: Buffer): void
  /** A whole line of stdout. `terminated` is false for a last line without a line feed. */
  line(text: string, terminated: boolean): void
  /** Several whole lines of stdout at once, line feeds included; `line` then gets only those that came in pieces. */
  lines?(bytes: Buffer): void
  errorLine(text: string): void
  /** A line was too long to keep. */
  skipped(stream: 'stdout' | 'stderr', bytes: number): void
  /** The first rung of the stop ladder, if the program has one of its own. */
  interrupt?(): void
  times?: LadderTimes
}

/** Why autopilot ended a child itself. */
export type StopReason = 'aborted' | WatchdogName

export interface ChildExit extends ProcessEnd {
  stopped?: StopReason | undefined
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
  const child = startProcess({
    argv: [spec.file, ...spec.args],
    cwd: spec.cwd,
    env: spec.env,
    marks: dispatchMarks(spec.runId, spec.dispatchId),
    ...(spec.confinement ? { confinement: spec.confinement } : {}),
  })
  const output = watchOutput(child, spec)
  const leader = () => (child.isRunning() ? child.pid : undefined)
  const members = remembering(() => membersOfDispatch(spec.runId, spec.dispatchId, leader()))
  const watchdogs = startWatchdogs(spec.limits, (name) => void stop(name))
  let phase: Phase = { at: 'running' }

  function stop(reason: StopReason): Promise<ChildExit> {
    watchdogs.stop()
    // What it left behind is ended anyway, and that was no stop of ours.
    if (phase.at !== 'running') return exit
    const { ask, holders } = child
    const target = { members, leader, ask, holders, interrupt: spec.interrupt }
    phase = { at: 'stopping', reason, walked: walkLadder(target, spec.times ?? ladderTimes) }
    return exit
  }

  async function settle(end: ProcessEnd): Promise<ChildExit> {
    watchdogs.stop()
    const left = end.spawnError ? [] : await members()
    const before = phase
    phase = { at: 'over' }
    const unkillable =
      before.at === 'stopping'
        ? await before.walked
        : left.length > 0
          ? await walkLadder({ members }, spec.times ?? ladderTimes)
          : []
    await Promise.race([child.closed, delay(lingerMs)])
    output.finish()
    child.stdin?.destroy()
    const stopped = before.at === 'stopping' ? before.reason : undefined
    return { ...end, stopped, unkillable, leftovers: left.length, ...output.summary() }
  }

  // An orphan may hold the pipe.
  const exit = child.exited.then(async (end) => {
    if (!end.spawnError) await Promise.race([child.closed, delay(lingerMs)])
    return await settle(end)
  })

  return { pid: child.pid, exit, stop, ...reins(child, spec, watchdogs, members) }
}

type Phase =
  | { at: 'running' }
  | { at: 'stopping'; reason: StopReason; walked: Promise<number[]> }
  | { at: 'over' }

/** What its keeper can do to a child that runs. */
function reins(
  child: StartedProcess,
  spec: ChildSpec,
  watchdogs: Watchdogs,
  members: () => Promise<Member[]>,
): Pick<Child, 'write' | 'endInput' | 'touch' | 'busy' | 'pause'> {
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
    write,
    endInput: () => void child.stdin?.end(),
    touch: () => watchdogs.touch(),
    busy: (on) => watchdogs.busy(on),
    async pause(on) {
      watchdogs.pause(on)
      if (!on) return signalMembers((await members()).reverse(), 'SIGCONT')
      signalMembers(await members(), 'SIGSTOP')
      // Once more, for a child that was started between the scan and the signal.
      signalMembers(await members(), 'SIGSTOP')
    },
  }
}

interface Output {
  /** Hands over last lines and lets go of the pipes. */
  finish(): void
  summary(): { stderrTail: string; outputBytes: number }
}

function watchOutput(child: StartedProcess, spec: ChildSpec): Output {
  let outputBytes = 0
  let tail: Buffer = Buffer.alloc(0)
  let finished = false
  const stdout = createLineSplitter({
    line: spec.line,
    skipped: (bytes) => spec.skipped('stdout', bytes),
    ...(spec.lines ? { lines: spec.lines } : {}),
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

  return {
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
