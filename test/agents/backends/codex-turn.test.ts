import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../source/agents/agent.js'
import { beforeExec, endOfExec, readExecLine } from '../../../source/agents/backends/codex-exec-reader.js'
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

describe('an error that is only words', () => {
  it('is why a turn failed, and of what class', () => {
    const made = threadOf({ id: 't', isResumed: false })
    const error = "You've hit your usage limit. Try again in 2 hours."
    made.take('turn/completed', { threadId: 't', turn: { id: 'u', status: 'failed', error } })
    const resetsAt = now + 2 * 3_600_000
    expect(made.verdict()).toEqual({
      status: 'failed',
      failure: { error: 'limit', retry: 'later', message: error, resetsAt },
    })
  })

  it('is why codex tries again', () => {
    const made = threadOf({ id: 't', isResumed: false })
    made.take('error', { threadId: 't', willRetry: true, error: 'Reconnecting... 2/5' })
    expect(made.events).toEqual([{ type: 'retry', attempt: 2, max: 5, cause: 'Reconnecting... 2/5' }])
  })

  it('is read from the lines of codex exec, too', () => {
    const setting = { cwd: '/project', now: () => now, billed: new Map() }
    const failureOf = (line: string) => endOfExec(readExecLine(beforeExec, line, setting)[0], now)[0].failure
    const failure = { error: 'context', retry: 'never', message: 'the conversation is too long' }
    expect(failureOf('{"type":"turn.failed","error":"the conversation is too long"}')).toEqual(failure)
    expect(failureOf('{"type":"error","error":"the conversation is too long"}')).toEqual(failure)
    expect(failureOf('{"type":"error","error":{"message":"the conversation is too long"}}')).toEqual(failure)
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
