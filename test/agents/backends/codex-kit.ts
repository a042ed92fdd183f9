import type { AgentEvent, Conversation, OpenRequest } from '../../../source/agents/agent.js'
import type { ChildExit, ChildSpec, StopReason, startChild } from '../../../source/processes/supervisor.js'
import { startWatchdogs } from '../../../source/processes/watchdogs.js'
import { freshRunId } from '../agent-kit.js'
import { loadTranscripts, type Transcript } from './transcripts.js'

// Recorded conversations with codex: what a host answered in them, and a codex of this process that plays them.

export type Ask = Extract<AgentEvent, { type: 'ask' }>
export type Answer = { optionId: string; text?: string }

/** The clock of the recording machine. */
export const recordedAt = Date.parse('2026-11-27T21:00:00Z')

export const wantedSchema = {
  type: 'object',
  properties: { status: { type: 'string' }, summary: { type: 'string' } },
  required: ['status', 'summary'],
  additionalProperties: false,
}

export const servers = loadTranscripts('codex-app-server')
export const runs = loadTranscripts('codex-exec')

export function namedIn(all: Transcript[], name: string): Transcript {
  const found = all.find((each) => each.name === name)
  if (!found) throw new Error(`no transcript ${name}`)
  return found
}

interface Sent {
  method?: string
  id?: number
  params?: { cwd: string; input?: { text: string }[]; approvalPolicy?: string; sandbox?: string }
  result?: { decision: string }
}

/** What the host of a recording sent, by method. */
export function sentIn({ input }: Transcript, method: string): Sent[] {
  return input.map((line): Sent => JSON.parse(line)).filter((message) => message.method === method)
}

/** The request that a recording was opened with. */
export function requestOf(transcript: Transcript, changes: Partial<OpenRequest> = {}): OpenRequest {
  const started = sentIn(transcript, 'thread/start')[0]?.params
  const access = { 'read-only': 'read', 'workspace-write': 'edit', 'danger-full-access': 'full' } as const
  const sandbox = (started?.sandbox ?? 'workspace-write') as keyof typeof access
  return {
    runId: freshRunId(),
    dispatchId: 'd1',
    role: 'harness-task-executor',
    cwd: '/project',
    prompt: sentIn(transcript, 'turn/start')[0]?.params?.input?.[0]?.text ?? 'go',
    systemAppend: 'You are the executor role.',
    access: started?.approvalPolicy === 'untrusted' ? 'edit' : access[sandbox],
    permissions: started?.approvalPolicy === 'untrusted' ? 'ask' : 'all',
    env: {},
    limits: { firstMs: 30_000, idleMs: 180_000, wallMs: 1_800_000 },
    raw: () => {},
    ...changes,
  }
}

/** Behaves as the person of a recording: answers, steers and interrupts at the recorded moment. */
export function personIn(transcript: Transcript): (event: AgentEvent, conversation: Conversation) => void {
  const answers = transcript.input.map((line): Sent => JSON.parse(line)).filter((each) => each.result)
  const steer = sentIn(transcript, 'turn/steer')[0]?.params?.input?.[0]?.text
  const isInterrupted = sentIn(transcript, 'turn/interrupt').length > 0
  let deltas = 0
  let asked = 0
  return (event, conversation) => {
    if (event.type === 'ask') {
      const optionId = answers[asked]?.result?.decision ?? 'decline'
      asked += 1
      queueMicrotask(() => conversation.answer(event.askId, { optionId }))
    }
    if (steer !== undefined && event.type === 'tool' && event.output === '2\n3\n') conversation.send(steer)
    if (event.type === 'text' && event.delta !== undefined) deltas += 1
    if (isInterrupted && event.type === 'text' && deltas === 8) void conversation.interrupt()
  }
}

export interface Played {
  start: typeof startChild
  /** What the host wrote, line by line. */
  heard: unknown[]
}

export interface PlayOptions {
  /** The lines as they were recorded, where those of the transcript are damaged: a server waits for what it sent. */
  original?: readonly string[]
  /** At the end of the transcript: exit at once, or at the end of input. */
  atEnd: 'exit' | 'wait'
}

/** A codex within this process, under the real watchdogs. Wants fake timers. */
export function playInside(transcript: Transcript, { original, atEnd }: PlayOptions): Played {
  const heard: Sent[] = []
  const recorded = transcript.input.map((line): Sent => JSON.parse(line))
  const start = (spec: ChildSpec) => {
    let next = 0
    let inputEnded = spec.input !== undefined
    let stopped: StopReason | undefined
    let isOver = false
    let finish: (exit: ChildExit) => void = () => {}
    const exit = new Promise<ChildExit>((resolve) => {
      finish = resolve
    })

    function end(code: number): void {
      if (isOver) return
      isOver = true
      watchdogs.stop()
      finish({ code, signal: null, stopped, stderrTail: '', outputBytes: 1, leftovers: 0, unkillable: [] })
    }

    const watchdogs = startWatchdogs(spec.limits, (name) => void stop(name))

    /** Plays on as far as nothing has to be waited for. */
    function play(): void {
      if (isOver) return
      const line = transcript.lines[next]
      if (line === undefined) {
        if (atEnd === 'exit' || inputEnded) end(typeof transcript.exit === 'number' ? transcript.exit : 0)
        return
      }
      if (!isDue(next)) return
      next += 1
      spec.line(line, true)
      queueMicrotask(() => queueMicrotask(play))
    }

    /** A request of the host comes before its answer, and the answer to an ask before what follows. */
    function isDue(index: number): boolean {
      const lines = original ?? transcript.lines
      const message: Sent = JSON.parse(lines[index] ?? '{}')
      if (message.method === undefined && message.id !== undefined) {
        const asked = recorded.find((each) => each.method !== undefined && each.id === message.id)
        return asked === undefined || heard.some((each) => each.method === asked.method)
      }
      const before: Sent = index === 0 ? {} : JSON.parse(lines[index - 1] ?? '{}')
      const isAnswer = (each: Sent) => each.method === undefined && each.id === before.id
      return before.method === undefined || before.id === undefined || heard.some(isAnswer)
    }

    function endInput(): void {
      inputEnded = true
      // Codex goes at the end of its input, whatever it was at.
      queueMicrotask(() => end(0))
    }

    function stop(reason: StopReason): Promise<ChildExit> {
      if (!isOver) stopped ??= reason
      watchdogs.stop()
      if (spec.interrupt) spec.interrupt()
      else queueMicrotask(() => end(1))
      return exit
    }

    queueMicrotask(play)
    return {
      pid: 1,
      exit,
      write(text: string) {
        if (isOver || inputEnded) return false
        heard.push(JSON.parse(text))
        queueMicrotask(play)
        return true
      },
      endInput,
      touch: () => watchdogs.touch(),
      busy: (on: boolean) => watchdogs.busy(on),
      pause: async (on: boolean) => watchdogs.pause(on),
      stop,
    }
  }
  return { start, heard }
}
