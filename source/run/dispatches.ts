import { randomUUID } from 'node:crypto'
import type { GateDesk } from './gate-desk.js'
import type { LiveStore } from './live-store.js'
import type { Answer, Question, QuestionDraft } from './question.js'
import type { DispatchHooks, Run } from './run.js'
import type { Saver } from './saver.js'
import { RunStopped } from './stopped.js'
import { addUsage, usageOfReply } from './usage.js'
import type { Usage } from './view.js'
import type { Visit } from './visit.js'

/** What keys can do to the agent that is working. */
export interface RunningAgent {
  /** Sends a message into its conversation. */
  say?(text: string): 'sent' | 'queued' | 'unsupported'
  /** Suspends or continues its processes. */
  suspend?(on: boolean): void
}

export interface DispatchParts<State extends object> {
  live: LiveStore
  desk: GateDesk
  saver: Saver<State>
  signal: AbortSignal
  visit(): Visit
  claim(key: string): void
  pause(): Promise<void>
  /** Ends the run with its state saved, as the key does. */
  stop(): void
  now(): Date
  /** Tokens and cost before this process; grows as dispatches end. */
  usage: { total: Usage }
  running: { agent?: RunningAgent }
}

/** Dispatches agents: recorded before and after, shown in a pane, stopped with the run. */
export function createDispatcher<State extends object>(parts: DispatchParts<State>): Run<State>['agent'] {
  const { live, saver, signal, usage } = parts

  /** A question of the agent while it works. It ends with the agent, so nothing is replayed; both sides are told. */
  const askForAgent = async (key: string, number: number, draft: QuestionDraft): Promise<Answer> => {
    const visit = parts.visit()
    const askKey = `${key}-asks-${number}`
    const askedAt = parts.now().toISOString()
    const question: Question = { ...draft, id: `${visit.number}.${visit.state}.${askKey}`, askedAt }
    await saver.append({ type: 'asked', visit: visit.number, key: askKey, question })
    const { answer } = await parts.desk.open(question, (open) => live.patch({ question: open }))
    live.patch({ question: undefined })
    const fact = { type: 'answered', visit: visit.number, key: askKey, questionId: question.id } as const
    await saver.append({ ...fact, answer: { answer, subject: null }, stop: false })
    if (question.options.some((option) => option.value === answer.value && option.stops)) {
      parts.stop()
      throw new RunStopped('gate')
    }
    return answer
  }

  return async (key, meta, dispatch) => {
    parts.claim(`agent ${key}`)
    const visit = parts.visit()
    const before = visit.find('agent', key)
    if (before) return before.reply as Awaited<ReturnType<typeof dispatch>>
    await parts.pause()
    const earlier = visit.count('dispatched', key)
    const attempt = earlier + 1
    const dispatchId = `${String(visit.number).padStart(3, '0')}-${key}-${attempt}-${randomUUID().slice(0, 8)}`
    const conversation = visit.find('session', key)
    await saver.append({ type: 'dispatched', visit: visit.number, key, attempt, dispatchId, ...meta })
    const startedAt = parts.now().getTime()
    const pane = live.openPane({
      id: dispatchId,
      persona: meta.persona,
      title: meta.title,
      attempt,
      startedAt,
    })
    let spent: Usage = { inputTokens: 0, outputTokens: 0 }
    let asks = visit.count('asked', key)
    const running: RunningAgent = {}
    parts.running.agent = running
    const hooks: DispatchHooks = {
      dispatchId,
      attempt,
      signal,
      ...(earlier > 0 ? { interrupted: conversation ? { sessionId: conversation.sessionId } : {} } : {}),
      line: (line) => live.writePane(pane, line),
      usage: (now) => {
        spent = now
        live.patch({ usage: addUsage(usage.total, now) })
      },
      session: (sessionId) => {
        saver
          .append({ type: 'session', visit: visit.number, key, sessionId })
          .catch(() => live.patch({ banner: 'The conversation id of the running agent could not be saved.' }))
      },
      ask: (draft) => {
        asks += 1
        return askForAgent(`${key}-${attempt}`, asks, draft)
      },
      control: (agent) => Object.assign(running, agent),
    }
    try {
      const reply = await dispatch(hooks)
      if (signal.aborted) {
        live.closePane(dispatchId, 'stopped', parts.now().getTime())
        // What a stopped dispatch used was paid for all the same.
        await saver.append({
          type: 'spent',
          visit: visit.number,
          key,
          dispatchId,
          phase: meta.phase,
          usage: spent,
        })
        throw new RunStopped('key')
      }
      live.closePane(dispatchId, reply.ok ? 'ok' : 'failed', parts.now().getTime())
      usage.total = addUsage(usage.total, usageOfReply(reply))
      live.patch({ usage: usage.total })
      await saver.append({ type: 'agent', visit: visit.number, key, dispatchId, reply, ...meta })
      return reply
    } finally {
      parts.running.agent = undefined
    }
  }
}
