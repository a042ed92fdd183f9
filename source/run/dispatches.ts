import { randomUUID } from 'node:crypto'
import type { JournalRecord } from '../ledger/journal.js'

import { usageOfReply, withPhaseUsage } from '../ledger/usage.js'
import type { Visit } from '../ledger/visit.js'
import type { Pane } from '../view/panes.js'
import type { QuestionDraft } from '../view/question.js'
import { addUsage, noUsage, type Usage } from '../view/usage.js'
import { createAgentQuestions } from './agent-questions.js'
import type { GateDesk } from './gate-desk.js'
import type { LiveStore } from './live-store.js'
import type { Recorded } from './recorded.js'
import type { Dispatched, DispatchHooks, DispatchMeta, Reply, Run } from './run.js'
import type { AgentSlot, RunningAgent } from './running-agent.js'
import type { Saver } from './saver.js'
import type { Steering } from './steering.js'
import { RunStopped } from './stopped.js'

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
  usage: { total: Usage; byPhase: ReadonlyMap<string, Usage> }
  slot: AgentSlot
  steering: Pick<Steering, 'take'>
}

/** After so many processes that died in the same dispatch, somebody has to look (reliability.md section 5). */
const mostBrokenTries = 3

function brokenQuestion(title: string, times: number): QuestionDraft {
  return {
    gate: 'Q-BROKEN-STEP',
    title: `${title}: broken off ${times} times`,
    body: ['Each time the whole program ended before this step did. Something in it may be the cause.'],
    options: [
      { value: 'again', label: 'dispatch again', consequence: 'the agent is told that it was interrupted' },
      {
        value: 'stop',
        label: 'stop',
        consequence: 'save the state and exit',
        stops: true,
        recommended: true,
      },
    ],
  }
}

/** How the pane of a finished dispatch ends. What the person ended is no failure. */
export function paneStatusOf(reply: Pick<Reply, 'ok' | 'error'> & { result?: unknown }): Pane['status'] {
  const { status } = (reply.result ?? {}) as { status?: unknown }
  if (reply.ok) return status === 'failed' || status === 'blocked' ? 'failed' : 'ok'
  return reply.error === 'aborted' ? 'stopped' : 'failed'
}

/** The reply as it is in the journal, with the dispatch that it came from. */
function repliedWith<R>(record: JournalRecord): Dispatched<R> {
  if (record.type !== 'agent') throw new Error(`a ${record.type} came back for a dispatch`)
  return { ...(record.reply as Recorded<R>), dispatchId: record.dispatchId } as Dispatched<R>
}

/** Dispatches agents: recorded before and after, shown in a pane, stopped with the run. */
export function createDispatcher<State extends object>(parts: DispatchParts<State>): Run<State>['agent'] {
  const { live, saver, signal, slot, usage } = parts

  const askForAgent = createAgentQuestions(parts)

  return async <R extends Reply>(
    key: string,
    meta: DispatchMeta,
    dispatch: (hooks: DispatchHooks) => Promise<R>,
  ): Promise<Dispatched<R>> => {
    parts.claim(`agent ${key}`)
    const visit = parts.visit()
    const before = visit.find('agent', key)
    if (before) return repliedWith<R>(before)
    await parts.pause()
    const earlier = visit.count('dispatched', key)
    const attempt = earlier + 1
    const broken = earlier - visit.count('spent', key)
    if (broken >= mostBrokenTries) {
      await askForAgent(`${key}-broken-${broken}`, brokenQuestion(meta.title, broken))
    }
    const dispatchId = `${String(visit.number).padStart(3, '0')}-${key}-${attempt}-${randomUUID().slice(0, 8)}`
    const conversation = visit.find('session', key)
    const told = await parts.steering.take()
    // What an interrupted dispatch was told at its beginning may never have reached it.
    const messages = [...(visit.find('dispatched', key)?.messages ?? []), ...told]
    const heard = messages.length > 0 ? { messages } : {}
    await saver.append({
      type: 'dispatched',
      visit: visit.number,
      key,
      attempt,
      dispatchId,
      ...meta,
      ...heard,
    })
    const startedAt = parts.now().getTime()
    const pane = live.openPane({
      id: dispatchId,
      persona: meta.persona,
      title: meta.title,
      phase: meta.phase,
      attempt,
      startedAt,
    })
    let spent: Usage = noUsage
    let asks = 0
    const ended = new AbortController()
    const running: RunningAgent = { show: (line) => live.writePane(pane, line) }
    slot.agent = running
    for (const message of messages)
      running.show({ kind: 'note', text: `you: ${message.replace(/\s*\n\s*/g, ' ')}` })
    const hooks: DispatchHooks = {
      dispatchId,
      attempt,
      signal,
      messages,
      ...(earlier > 0 ? { interrupted: conversation ? { sessionId: conversation.sessionId } : {} } : {}),
      line: (line) => live.writePane(pane, line),
      usage: (now) => {
        spent = now
        live.patch({
          usage: addUsage(usage.total, now),
          phaseUsage: withPhaseUsage(usage.byPhase, meta.phase, now),
        })
      },
      session: (sessionId) => {
        saver
          .append({ type: 'session', visit: visit.number, key, sessionId })
          .catch(() => live.patch({ banner: 'The conversation id of the running agent could not be saved.' }))
      },
      ask: (draft) => {
        asks += 1
        return askForAgent(`${key}-${attempt}-asks-${asks}`, draft, ended.signal)
      },
      control: (agent) => {
        Object.assign(running, agent)
        // It began while the person had everything suspended.
        if (slot.suspended) agent.suspend?.(true)
      },
    }
    try {
      const reply = await dispatch(hooks).finally(() => ended.abort())
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
      live.closePane(dispatchId, paneStatusOf(reply), parts.now().getTime())
      const used = usageOfReply(reply)
      usage.total = addUsage(usage.total, used)
      usage.byPhase = withPhaseUsage(usage.byPhase, meta.phase, used)
      live.patch({ usage: usage.total, phaseUsage: usage.byPhase })
      const fact = { type: 'agent', visit: visit.number, key, dispatchId, reply, ...meta } as const
      return repliedWith<R>(await saver.append(fact))
    } finally {
      slot.agent = undefined
      slot.suspended = false
    }
  }
}
