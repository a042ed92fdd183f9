import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { AgentEvent, Outcome } from '../../source/agents/agent.js'
import type { EmbeddedRequestInput } from '../../source/embedded/protocol.js'
import { serve } from '../../source/embedded/serve.js'
import type { StartTimer } from '../../source/embedded/stream.js'
import { type MockModel, startMockModel } from '../mock-model/server.js'
import type { Answer, Call, ModelRequest } from '../mock-model/turn.js'
import { turn } from '../mock-model/turn.js'

// The embedded agent inside the test's own process, against a model that the test plays.

export const schema = {
  type: 'object',
  properties: {
    verdict: { type: 'string', enum: ['pass', 'fail'] },
    gaps: { type: 'array', items: { type: 'string' } },
  },
  required: ['verdict'],
}
export const passed = { verdict: 'pass', gaps: [] }

/** Waiting times that let a test see every pause without sitting through it. */
export const quick = { backoffMs: 1, shortLimitMs: 5000 }

/** Of the test that asks for it. A hook of this module would only be one of the first file in a worker that imports it. */
export function temporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'autopilot-embedded-test-')))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export interface Stage {
  mock(): MockModel
}

/** One model server for all tests of a file. */
export function withMock(): Stage {
  let mock: MockModel | undefined
  beforeAll(async () => {
    mock = await startMockModel()
  })
  afterAll(async () => {
    await mock?.close()
  })
  return {
    mock() {
      if (!mock) throw new Error('the model server is not running')
      return mock
    },
  }
}

export const report = (result: unknown = passed): Answer => call('report_result', result)

export function call(name: string, input: unknown, text = ''): Answer {
  return turn({ text, calls: [{ name, input }] })
}

export function calls(...list: Call[]): Answer {
  return turn({ calls: list })
}

export { turn }

/** Answers one after the other; the last one again and again. */
export function answers(...list: Answer[]): (request: ModelRequest, count: number) => Answer {
  let next = 0
  return () => {
    const answer = list[Math.min(next, list.length - 1)]
    next += 1
    if (!answer) throw new Error('no answer is left')
    return answer
  }
}

export interface HandTimers {
  startTimer: StartTimer
  /** Lets one timer of that many milliseconds run out: one that runs, else the next that is started. */
  runOut(ms: number): void
  /** How often timers of that many milliseconds were started or started again. */
  starts(ms: number): number
}

/** Timers that run out when the test says so, however busy the machine is. */
export function handTimers(): HandTimers {
  const running = new Set<{ ms: number; fire: () => void }>()
  const due: number[] = []
  const starts: number[] = []

  function settle(): void {
    for (const timer of running) {
      const at = due.indexOf(timer.ms)
      if (at < 0) continue
      due.splice(at, 1)
      running.delete(timer)
      queueMicrotask(timer.fire)
    }
  }

  return {
    startTimer(fire, ms) {
      const timer = { ms, fire }
      const start = () => {
        starts.push(ms)
        running.add(timer)
        settle()
      }
      start()
      return { restart: start, stop: () => void running.delete(timer) }
    },
    runOut(ms) {
      due.push(ms)
      settle()
    },
    starts: (ms) => starts.filter((each) => each === ms).length,
  }
}

export interface Serving {
  events: AgentEvent[]
  outcome: Promise<Outcome>
  /** Exit code of the program. */
  code: Promise<number>
  say(line: object | string): void
  endInput(): void
  stop(): void
  /** Settles with the first event that fits, now or later; rejects when the turn ends without one. */
  seen<Type extends AgentEvent['type']>(
    type: Type,
    fits?: (event: Extract<AgentEvent, { type: Type }>) => boolean,
  ): Promise<Extract<AgentEvent, { type: Type }>>
  project: string
  request: EmbeddedRequestInput
}

export interface ServingOptions {
  baseURL: string
  project?: string
  request?: Partial<EmbeddedRequestInput>
  env?: Record<string, string | undefined>
  now?: () => number
  startTimer?: StartTimer
}

export const testKey = 'sk-test-0123456789abcdef'

/** Starts one turn. Without other words the agent may do everything and has to report. */
export function startTurn({
  baseURL,
  project = temporaryDirectory(),
  request,
  env,
  ...clock
}: ServingOptions): Serving {
  const whole: EmbeddedRequestInput = {
    prompt: 'Do it.',
    schema,
    model: 'claude-sonnet-5-5',
    access: 'full',
    policy: 'all',
    cwd: project,
    baseURL,
    sessionId: 's1',
    conversationFile: join(project, '.harness', 'conversations', 's1.jsonl'),
    outputDir: join(project, '.harness', 'outputs'),
    times: quick,
    ...request,
  }
  mkdirSync(project, { recursive: true })
  const input = new PassThrough()
  const events: AgentEvent[] = []
  const watchers = new Set<() => void>()
  const stop = new AbortController()
  const code = serve({
    input,
    write(line) {
      events.push(JSON.parse(line))
      for (const look of [...watchers]) look()
    },
    env: env ?? { ...process.env, ANTHROPIC_API_KEY: testKey },
    stop,
    random: () => 0.5,
    ...clock,
  })
  const outcome = code.then(() => {
    const last = events.at(-1)
    if (last?.type !== 'end') throw new Error('the last event is not the end')
    return last.outcome
  })
  const say = (line: object | string) =>
    void input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
  say(whole)

  return {
    events,
    outcome,
    code,
    say,
    endInput: () => void input.end(),
    stop: () => stop.abort(),
    seen: (type, fits = () => true) =>
      new Promise((resolve, reject) => {
        const look = () => {
          for (const event of events) {
            if (event.type !== type) continue
            const narrowed = event as Parameters<typeof fits>[0]
            if (!fits(narrowed)) continue
            watchers.delete(look)
            resolve(narrowed)
            return
          }
        }
        watchers.add(look)
        look()
        void code.then(() =>
          reject(new Error(`the turn ended without ${type}: ${JSON.stringify(events.at(-1))}`)),
        )
      }),
    project,
    request: whole,
  }
}

/** The conversation as it is on disk, one message a line. */
export function storedMessages(file: string): { role: string; content: Record<string, unknown>[] }[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

export function textOf(events: AgentEvent[], type: 'text' | 'thinking' = 'text'): string {
  return events.map((event) => (event.type === type ? (event.delta ?? event.full ?? '') : '')).join('')
}
