import type { Question } from '../../source/view/question.js'
import type { Case, Pick as Picked } from './case.js'
import type { FromProgram } from './headless-ui.js'
import { startOwn, startWarm } from './process-of-program.js'
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
  answer(question: Question, pick: Picked): void
  quit(): void
  /** Whether its loop answers within the time. */
  ticks(patienceMs: number): Promise<boolean>
  /** Ends it, in the end by force; all that it has told meanwhile is dropped. */
  end(): Promise<void>
  stderr(): string
}

export interface Start {
  program: string
  /** Where the run may share a process with others: the program for one run after the other. */
  warm?: string
  agent: string
  /** What is run; default: the spec. */
  input?: string
  env?: Record<string, string>
}

export function startProgram(world: World, one: Pick<Case, 'flags'>, how: Start): Program {
  const argv = [how.input ?? specPath, '--agent', how.agent, ...(one.flags ?? [])]
  let stderr = ''
  let isOver = false
  const { push, next } = queue()
  const pongs = new Map<number, () => void>()
  const start = how.warm === undefined ? startOwn : startWarm
  const program = how.warm ?? how.program
  const command = { program, argv, cwd: world.dir, env: { ...world.env, ...how.env } }
  const child = start(command, {
    message(message) {
      if (message.kind === 'pong') pongs.get(message.count)?.()
      else push(message)
    },
    stderr(text) {
      stderr = (stderr + text).slice(-4_000)
    },
    over(code, signal) {
      isOver = true
      push({ kind: 'exit', code, signal })
    },
  })
  let pings = 0

  return {
    pid: child.pid,
    next,
    answer(question, pick) {
      child.send({ kind: 'answer', id: question.id, answer: answerOf(question, pick) })
    },
    quit: () => child.send({ kind: 'quit' }),
    ticks(patienceMs) {
      const count = ++pings
      child.send({ kind: 'ping', count })
      return within(patienceMs, new Promise<void>((resolve) => pongs.set(count, resolve)))
    },
    async end() {
      if (!isOver) child.send({ kind: 'quit' })
      if (!(await within(4_000, child.over))) child.kill()
      await child.over
      for (const pid of await processesOf(world)) tryKill(pid)
    },
    stderr: () => stderr,
  }
}

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

function answerOf(question: Question, pick: Picked) {
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
