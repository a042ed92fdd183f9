import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../source/agents/agent.js'
import {
  beforeThread,
  beginTurn,
  nameTurn,
  readNotification,
} from '../../../source/agents/backends/codex-turn.js'
import type { Fields } from '../../../source/agents/fields.js'

const now = new Date(2026, 10, 27, 21, 0, 30).getTime()

/** A thread whose notifications are read one after the other, its turn asked for and named. */
function threadOf(setting: { id: string; isResumed: boolean; maxCalls?: number }) {
  const { id, ...more } = setting
  let state = nameTurn(beginTurn({ ...beforeThread, threadId: id }), 'u')
  const events: AgentEvent[] = []
  return {
    events,
    take(method: string, params: Fields) {
      const [next, told] = readNotification(state, method, params, {
        cwd: '/project',
        now: () => now,
        ...more,
      })
      state = next
      events.push(...told)
    },
    hopeless: () => state.turn.hopeless,
    verdict: () => state.turn.verdict,
  }
}

describe('retries without an end', () => {
  const trouble = (message: string, details: string | null, info: unknown) => ({
    threadId: 't',
    willRetry: true,
    error: { message, additionalDetails: details, codexErrorInfo: info },
  })

  const reader = (maxCalls?: number) =>
    threadOf({ id: 't', isResumed: false, ...(maxCalls === undefined ? {} : { maxCalls }) })

  const waiting = trouble('Reconnecting... waiting for network', 'Connection failed', {
    responseStreamDisconnected: { httpStatusCode: null },
  })

  it('a network that is not there ends the turn at the fifth try in a row', () => {
    const made = reader()
    for (let at = 0; at < 4; at += 1) made.take('error', waiting)
    made.take('item/agentMessage/delta', { threadId: 't', itemId: 'i', delta: 'back' })
    for (let at = 0; at < 4; at += 1) made.take('error', waiting)
    expect(made.hopeless()).toBeUndefined()
    made.take('error', waiting)
    expect(made.hopeless()).toEqual({ error: 'network', retry: 'later', message: 'Connection failed' })
    expect(made.events.filter((event) => event.type === 'retry')).toHaveLength(9)
  })

  it('a refused key at the second', () => {
    const made = reader()
    const refused = trouble('Reconnecting... 1/5', 'unexpected status 401', {
      responseStreamDisconnected: { httpStatusCode: 401 },
    })
    made.take('error', refused)
    expect(made.hopeless()).toBeUndefined()
    made.take('error', refused)
    expect(made.hopeless()).toMatchObject({ error: 'auth', retry: 'never' })
  })

  it('model calls are counted where they are limited', () => {
    const made = reader(2)
    const used = (total: number) => ({
      threadId: 't',
      turnId: 'u',
      tokenUsage: { total: { inputTokens: total, outputTokens: total } },
    })
    made.take('thread/tokenUsage/updated', used(1))
    made.take('thread/tokenUsage/updated', used(2))
    expect(made.hopeless()).toBeUndefined()
    made.take('thread/tokenUsage/updated', used(3))
    expect(made.hopeless()).toMatchObject({ error: 'turns', retry: 'never' })
  })
})

describe('threads beside ours', () => {
  it('are billed and shown as agents of their own, and do not end our turn', () => {
    const made = threadOf({ id: 'ours', isResumed: true })
    const usage = (threadId: string, total: number, last: number) => ({
      threadId,
      turnId: 'u',
      tokenUsage: {
        total: { inputTokens: total, outputTokens: total, cachedInputTokens: 0 },
        last: { inputTokens: last, outputTokens: last, cachedInputTokens: 0 },
      },
    })
    made.take('thread/tokenUsage/updated', usage('ours', 100, 10))
    made.take('thread/tokenUsage/updated', usage('theirs', 7, 7))
    made.take('item/completed', {
      threadId: 'theirs',
      item: { type: 'agentMessage', id: 'm', text: 'their word' },
    })
    made.take('turn/completed', { threadId: 'theirs', turn: { id: 'v', status: 'completed' } })
    expect(made.verdict()).toBeUndefined()
    expect(made.events).toEqual([
      { type: 'usage', scope: 'turn', input: 10, output: 10, cached: 0 },
      { type: 'usage', scope: 'turn', input: 7, output: 7, cached: 0 },
      { type: 'text', id: 'm', full: 'their word', agent: 'theirs' },
    ])
    made.take('turn/completed', { threadId: 'ours', turn: { id: 'u', status: 'completed', items: [] } })
    expect(made.verdict()).toEqual({ status: 'completed', text: '' })
  })
})
