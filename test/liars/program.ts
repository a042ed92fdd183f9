import { type ChildProcess, spawn } from 'node:child_process'
import type { Question } from '../../source/view/question.js'
import type { Case, Pick } from './case.js'
import type { FromProgram, ToProgram } from './headless-ui.js'
import { specPath } from './sample.js'
import { processesOf, type World } from './world.js'

// The program under test as a process: what it tells, one event after the other, and how it is answered.

export type Event =
  | FromProgram
  | { kind: 'exit'; code: number | null; signal: string | null }
  | { kind: 'late' }

export interface Program {
  readonly pid: number
  /** The next thing that it tells; `late` when nothing came for so long. */
  next(patienceMs: number): Promise<Event>
  answer(question: Question, pick: Pick): void
  quit(): void
  /** Whether its loop answers within the time. */
  ticks(patienceMs: number): Promise<boolean>
  /** Ends it, in the end by force; all that it has told meanwhile is dropped. */
  end(): Promise<void>
  stderr(): string
}

export interface Start {
  program: string
  agent: string
  env?: Record<string, string>
}

export function startProgram(world: World, one: Case, how: Start): Program {
  const argv = [how.program, specPath, '--agent', how.agent, ...(one.flags ?? [])]
  const child = spawn(process.execPath, argv, {
    cwd: world.dir,
    env: { ...world.env, ...how.env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-4_000)
  })
  const { push, next } = queue()
  const pongs = new Map<number, () => void>()
  child.on('message', (message: FromProgram) => {
    if (message.kind === 'pong') pongs.get(message.count)?.()
    else push(message)
  })
  const exited = new Promise<void>((resolve) => {
    child.on('close', (code, signal) => {
      push({ kind: 'exit', code, signal })
      resolve()
    })
  })
  const send = (message: ToProgram) => void (child.connected && child.send(message, () => undefined))
  let pings = 0

  return {
    pid: child.pid ?? 0,
    next,
    answer(question, pick) {
      send({ kind: 'answer', id: question.id, answer: answerOf(question, pick) })
    },
    quit: () => send({ kind: 'quit' }),
    ticks(patienceMs) {
      const count = ++pings
      send({ kind: 'ping', count })
      return within(patienceMs, new Promise<void>((resolve) => pongs.set(count, resolve)))
    },
    async end() {
      if (running(child)) send({ kind: 'quit' })
      if (!(await within(4_000, exited))) child.kill('SIGKILL')
      await exited
      for (const pid of await processesOf(world)) tryKill(pid)
    },
    stderr: () => stderr,
  }
}

const running = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone by itself.
  }
}

/** The option with that label or value. A label of the list has to be there exactly, any case. */
export function optionOf(question: Question, name: string) {
  const wanted = name.toLowerCase()
  return question.options.find((option) => option.value === name || option.label.toLowerCase() === wanted)
}

function answerOf(question: Question, pick: Pick) {
  const option = optionOf(question, pick.option)
  if (!option) throw new Error(`${question.gate} offers no "${pick.option}": ${question.title}`)
  return { value: option.value, ...(pick.text === undefined ? {} : { text: pick.text }) }
}

/** False when the time is over first. */
async function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const done = await Promise.race([promise.then(() => true), late])
  clearTimeout(timer)
  return done
}

function queue() {
  const waiting: Event[] = []
  let wake: (() => void) | undefined
  return {
    push(event: Event) {
      waiting.push(event)
      wake?.()
    },
    async next(patienceMs: number): Promise<Event> {
      if (waiting.length === 0)
        await within(
          patienceMs,
          new Promise<void>((resolve) => {
            wake = resolve
          }),
        )
      return waiting.shift() ?? { kind: 'late' }
    },
  }
}
