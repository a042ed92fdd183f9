import type { AgentEvent, Backend, Conversation, OpenRequest, Outcome } from '../../../source/agents/agent.js'
import { acpBackend } from '../../../source/agents/backends/acp.js'
import { childEnvironment } from '../../../source/processes/environment.js'
import type { ChildExit, StopReason, startChild } from '../../../source/processes/supervisor.js'
import { freshRunId, temporaryDirectory } from '../agent-kit.js'
import { replay, type Transcript } from './transcripts.js'

/** The clock of the recordings: 27 Nov 2026, 21:00 UTC. */
export const recordedNow = () => Date.UTC(2026, 10, 27, 21, 0, 0)

export function openRequest(changes: Partial<OpenRequest> = {}): OpenRequest {
  return {
    runId: freshRunId(),
    dispatchId: 'd1',
    role: 'harness-task-executor',
    cwd: temporaryDirectory(),
    prompt: 'Do it.',
    access: 'full',
    env: childEnvironment(),
    limits: { firstMs: 50_000, idleMs: 50_000, wallMs: 55_000 },
    raw: () => {},
    ...changes,
  }
}

export interface Played {
  outcome: Outcome
  events: AgentEvent[]
  heard: unknown[]
}

interface Message {
  id?: unknown
  method?: string
  params?: { prompt?: { text: string }[] }
  result?: { outcome?: { optionId?: string } }
}

export function messages(lines: readonly string[]): Message[] {
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
}

/** 0-based index of the line that answers the first prompt; after the last line where there is none. */
export function answerAt(transcript: Transcript): number {
  const prompt = messages(transcript.input).find(({ method }) => method === 'session/prompt')
  const at = transcript.lines.findIndex((line) => {
    const [message] = messages([line])
    return message?.method === undefined && message?.id === prompt?.id
  })
  return at < 0 ? transcript.lines.length : at
}

/**
 * Plays a transcript against the real backend and does what the recorded host did: the same prompt, the same answers,
 * the same cancellation.
 * @param original the whole transcript, where the one that is played is damaged
 * @param start what starts the program; a real process without it
 */
export async function play(
  transcript: Transcript,
  original: Transcript = transcript,
  options: { request?: Partial<OpenRequest>; start?: typeof startChild } = {},
): Promise<Played> {
  const recorded = messages(original.input)
  const prompts = recorded.filter(({ method }) => method === 'session/prompt')
  const textOf = (index: number) => prompts[index]?.params?.prompt?.[0]?.text ?? ''
  const chosen = recorded.find(({ result }) => result?.outcome?.optionId)?.result?.outcome?.optionId
  const cancels = recorded.some(({ method }) => method === 'session/cancel')
  const answer = answerAt(original)
  const agent = replay(transcript)
  const backend = acpBackend({
    id: 'acp',
    argv: [agent.program],
    now: recordedNow,
    ...(options.start ? { startChild: options.start } : {}),
  })
  const events: AgentEvent[] = []
  let seen = 0
  let conversation: Conversation | undefined
  let isSteered = false
  const interrupt = () => setImmediate(() => void conversation?.interrupt())

  const request = openRequest({
    prompt: textOf(0),
    ...options.request,
    raw(stream, bytes) {
      if (stream !== 'stdout') return
      seen += bytes.toString('latin1').split('\n').length - 1
      if (cancels && seen >= answer) interrupt()
    },
  })
  conversation = await backend.open(request, (event) => {
    events.push(event)
    if (event.type === 'ask' && chosen !== undefined) conversation?.answer(event.askId, { optionId: chosen })
    else if (event.type === 'ask') interrupt()
    if (event.type === 'text' && prompts.length > 1 && !isSteered) {
      isSteered = true
      conversation?.send(textOf(1))
    }
  })
  const outcome = await conversation.done
  await conversation.close()
  return { outcome, events, heard: agent.heard() }
}

/** A turn of the event loop takes far less; who waits for longer than this waits in vain. */
const patienceMs = 150

/**
 * A program in memory that plays a transcript in dialogue and exits with 0 after its last line. Where it waits in vain,
 * the watchdog barks.
 */
export function playedChild(transcript: Transcript): typeof startChild {
  return (spec) => {
    const recorded = messages(transcript.input)
    const heard: Message[] = []
    let stopped: StopReason | undefined
    let wake = () => {}
    let finish: (code: number) => void = () => {}
    const exit = new Promise<ChildExit>((resolve) => {
      finish = (code) =>
        resolve({ code, signal: null, stopped, stderrTail: '', outputBytes: 1, leftovers: 0, unkillable: [] })
    })

    async function until(met: () => boolean): Promise<void> {
      const deadline = Date.now() + patienceMs
      while (!met() && !stopped) {
        if (Date.now() > deadline) void stop('idle')
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, 10)
        })
      }
    }

    function stop(reason: StopReason): Promise<ChildExit> {
      stopped ??= reason
      spec.interrupt?.()
      setImmediate(() => finish(0))
      return exit
    }

    async function run(): Promise<void> {
      const isHeard = (id: unknown) => heard.some((each) => each.method !== undefined && each.id === id)
      const prompt = recorded.find(({ method }) => method === 'session/prompt')
      for (const [at, line] of transcript.lines.entries()) {
        const [message] = messages([line])
        const isAnswer = message !== undefined && message.method === undefined
        if (isAnswer) await until(() => isHeard(message.id))
        else if (at > 1) await until(() => isHeard(prompt?.id))
        const cancels = recorded.some(({ method }) => method === 'session/cancel')
        if (isAnswer && message.id === prompt?.id && cancels)
          await until(() => heard.some(({ method }) => method === 'session/cancel'))
        if (stopped) return
        spec.raw('stdout', Buffer.from(`${line}\n`))
        spec.line(line, true)
        if (message?.method !== undefined && message.id !== undefined)
          await until(() => heard.some((each) => each.method === undefined && each.id === message.id))
        await new Promise((resolve) => setImmediate(resolve))
      }
      finish(0)
    }

    setImmediate(() => void run())
    return {
      pid: undefined,
      exit,
      write(text) {
        heard.push(...messages([text]))
        wake()
        return true
      },
      endInput: () => {},
      touch: () => {},
      busy: () => {},
      pause: async () => {},
      stop,
    }
  }
}

/** A conversation that is driven by hand. */
export async function converse(
  backend: Backend,
  changes: Partial<OpenRequest> = {},
  react: (event: AgentEvent, conversation: Conversation) => void = () => {},
) {
  const events: AgentEvent[] = []
  const holder: { conversation?: Conversation } = {}
  const conversation = await backend.open(openRequest(changes), (event) => {
    events.push(event)
    if (holder.conversation) react(event, holder.conversation)
  })
  holder.conversation = conversation
  return { conversation, events }
}
