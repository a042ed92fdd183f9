import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../source/agents/agent.js'
import { handTimers, passed, startTurn } from './serving.js'
import { begin, broken, failing, hanging, type Reply, send, speaking, startWire, wireText } from './wire.js'

// What a model server can do wrong. Every pause is an event; none of these hangs and none counts as success.

const good = speaking({ calls: [{ name: 'report_result', input: passed }], stop: 'tool_use' })
const overloaded = failing(529, 'overloaded_error')

async function run(
  replies: Reply[],
  request: Parameters<typeof startTurn>[0]['request'] = {},
  clock: Pick<Parameters<typeof startTurn>[0], 'now' | 'startTimer'> = {},
) {
  const { baseURL, bodies } = await startWire(...replies)
  const { now, startTimer } = clock
  const turn = startTurn({ baseURL, request, ...(now ? { now } : {}), ...(startTimer ? { startTimer } : {}) })
  return { ...turn, outcome: await turn.outcome, bodies }
}

const retries = (events: AgentEvent[]) => events.filter((event) => event.type === 'retry')

describe('errors that pass', () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'busy' } }
  const cases: [string, Reply][] = [
    ['529', overloaded],
    ['500', failing(500, 'api_error')],
    ['a 429 without a word about when', failing(429, 'rate_limit_error')],
    ['an error in the stream', broken(2, (response) => response.end(wireText(error)))],
    ['a stream that is torn', broken(3, (response) => setTimeout(() => response.destroy(), 50))],
    ['a stream that ends early', broken(4, (response) => response.end())],
    ['a stream that ends before it began', (response) => begin(response).end()],
    ['a connection that is torn', (response) => response.destroy()],
  ]

  it.each(cases)('%s: tried again, and told', async (_, reply) => {
    const { outcome, events, bodies } = await run([reply, reply, good])
    expect(outcome).toMatchObject({ ok: true, result: passed })
    expect(retries(events)).toMatchObject([
      { attempt: 1, max: 4 },
      { attempt: 2, max: 4 },
    ])
    expect(bodies[2]).toEqual(bodies[0])
  })

  it.each(cases)('%s: five tries, then an end', async (_, reply) => {
    const { outcome, events, bodies } = await run([reply])
    expect(outcome).toMatchObject({ ok: false, retry: 'later' })
    expect(bodies).toHaveLength(5)
    const waits = retries(events).map((event) => (event.type === 'retry' ? event.delayMs : undefined))
    expect(waits).toEqual([1, 2, 3, 6])
  })

  it('counts what an answer had cost that was cut off', async () => {
    const { outcome } = await run([broken(3, (response) => response.end()), good])
    expect(outcome.usage).toMatchObject({ input: 20, output: 6 })
  })

  it('nobody listens at the address', async () => {
    const { baseURL } = await startWire(good)
    const nobody = baseURL.replace(/\d+$/, '1')
    const { outcome, events } = startTurn({ baseURL: nobody })
    expect(await outcome).toMatchObject({ ok: false, error: 'network', retry: 'later' })
    expect(retries(events)).toHaveLength(4)
  })
})

describe('a server that falls silent', () => {
  const times = { backoffMs: 0, firstByteMs: 1001, betweenMs: 2002 }

  it('before the first byte: tried again, then a timeout', async () => {
    const timers = handTimers()
    const silent: Reply = () => timers.runOut(times.firstByteMs)
    const once = await run([silent, good], { times }, timers)
    expect(once.outcome).toMatchObject({ ok: true })
    expect(once.bodies).toHaveLength(2)
    const { outcome, bodies } = await run([silent], { times }, timers)
    expect(outcome).toMatchObject({ ok: false, error: 'timeout', retry: 'later' })
    expect(bodies).toHaveLength(5)
  })

  it('in the middle of an answer', async () => {
    const timers = handTimers()
    const silent = () => timers.runOut(times.betweenMs)
    const replies = [broken(3, silent), broken(1, silent), good]
    const { outcome, events } = await run(replies, { times }, timers)
    expect(outcome).toMatchObject({ ok: true })
    expect(retries(events)).toHaveLength(2)
    expect(JSON.stringify(retries(events))).toContain('silent')
  })

  it('is not silent while it sends pings', async () => {
    const timers = handTimers()
    const pinging: Reply = (response, body) => {
      begin(response)
      send(response, { type: 'ping' })
      // Each ping is answered for by a new start of the clock, before the next one is sent.
      const more = () => {
        const heard = timers.starts(times.betweenMs)
        if (heard < 5) {
          if (heard > pings) {
            pings = heard
            send(response, { type: 'ping' })
          }
          setImmediate(more)
          return
        }
        const rest = {
          writeHead: () => {},
          write: (text: string) => response.write(text),
          end: () => response.end(),
        }
        good(rest as unknown as Parameters<Reply>[0], body)
      }
      let pings = 0
      more()
    }
    const { outcome, events } = await run([pinging], { times }, timers)
    expect(outcome).toMatchObject({ ok: true })
    expect(retries(events)).toEqual([])
  })

  it('can be interrupted', async () => {
    const { baseURL } = await startWire(hanging)
    const turn = startTurn({ baseURL })
    await turn.seen('session')
    turn.say({ t: 'interrupt' })
    expect(await turn.outcome).toMatchObject({ ok: false, error: 'aborted' })
  })
})

describe('errors that do not pass', () => {
  it.each([
    [401, 'authentication_error', 'no', 'auth'],
    [403, 'permission_error', 'no', 'auth'],
    [402, 'billing_error', 'no', 'billing'],
    [400, 'invalid_request_error', 'Your credit balance is too low', 'billing'],
    [400, 'invalid_request_error', 'prompt is too long: 9 tokens > 8', 'context'],
    [413, 'request_too_large', 'no', 'context'],
    [400, 'invalid_request_error', 'tools.0: no', 'input'],
    [404, 'not_found_error', 'model: x', 'input'],
  ])('%d %s %j ends at once as %4$s', async (status, type, message, error) => {
    const { outcome, events, bodies } = await run([failing(status, type, {}, message)])
    expect(outcome).toMatchObject({ ok: false, error, retry: 'never' })
    expect(outcome.ok ? '' : outcome.message).toContain(message)
    expect(bodies).toHaveLength(1)
    expect(retries(events)).toEqual([])
  })
})

describe('usage limits', () => {
  const nowMs = Date.UTC(2026, 10, 27, 21, 0, 30)

  it('a short one is waited for, visibly', async () => {
    const short = failing(429, 'rate_limit_error', { 'retry-after': '0' })
    const { outcome, events } = await run([short, short, good])
    expect(outcome).toMatchObject({ ok: true })
    expect(retries(events)).toMatchObject([
      { attempt: 1, delayMs: 0 },
      { attempt: 2, delayMs: 0 },
    ])
    expect(events.some((event) => event.type === 'limit')).toBe(false)
  })

  it('a short one that never ends is one in the end', async () => {
    const { outcome, bodies } = await run([failing(429, 'rate_limit_error', { 'retry-after': '0' })])
    expect(outcome).toMatchObject({ ok: false, error: 'limit', retry: 'later' })
    expect(bodies).toHaveLength(11)
  })

  it.each([
    ['retry-after in seconds', () => ({ 'retry-after': '10800' })],
    ['retry-after as a date', () => ({ 'retry-after': new Date(nowMs + 10_800_000).toUTCString() })],
    ['the end of the window', () => ({ 'anthropic-ratelimit-unified-reset': String(nowMs / 1000 + 10_800) })],
  ])('a long one ends the turn and tells when: %s', async (_, headers) => {
    const { outcome, events, bodies } = await run(
      [failing(429, 'rate_limit_error', headers())],
      {},
      { now: () => nowMs },
    )
    expect(outcome).toMatchObject({ ok: false, error: 'limit', retry: 'later' })
    expect(bodies).toHaveLength(1)
    const resetsAt = outcome.ok ? undefined : outcome.resetsAt
    expect(resetsAt).toBe(nowMs + 10_800_000)
    expect(events).toContainEqual({ type: 'limit', status: 'rejected', resetsAt })
  })

  it('a time nobody can believe is no time', async () => {
    const { outcome } = await run([failing(429, 'rate_limit_error', { 'retry-after': '99999999' })])
    expect(outcome).toMatchObject({ ok: false, error: 'limit' })
    expect(outcome.ok ? 0 : outcome.resetsAt).toBeUndefined()
  })

  it('a wait can be interrupted', async () => {
    const { baseURL } = await startWire(failing(429, 'rate_limit_error', { 'retry-after': '100' }))
    const turn = startTurn({ baseURL, request: { times: { shortLimitMs: 1_000_000 } } })
    expect(await turn.seen('retry')).toMatchObject({ delayMs: 100_000 })
    turn.say({ t: 'interrupt' })
    expect(await turn.outcome).toMatchObject({ ok: false, error: 'aborted' })
  })
})

describe('answers that do not end in order', () => {
  it('too long a text is continued, at most three times', async () => {
    const long = speaking({ text: 'on and on', stop: 'max_tokens' })
    const { outcome, bodies } = await run([long, long, long, good])
    expect(outcome).toMatchObject({ ok: true })
    expect(bodies[1]?.messages.at(-1)?.role).toBe('user')
    const endless = await run([long])
    expect(endless.outcome).toMatchObject({ ok: false, error: 'context' })
    expect(endless.bodies).toHaveLength(4)
  })

  it('a call that was cut off is not run', async () => {
    const cut = speaking({
      calls: [{ name: 'write', input: '{"file_path":"a.txt","content":"half' }],
      stop: 'max_tokens',
    })
    const { outcome, bodies, project } = await run([cut, good])
    expect(outcome).toMatchObject({ ok: true })
    expect(existsSync(join(project, 'a.txt'))).toBe(false)
    expect(JSON.stringify(bodies[1])).toContain('smaller pieces')
    expect(JSON.stringify(bodies[1])).not.toContain('tool_use')
  })

  it.each(['{"file_path":"a.txt","content":"half', 'no json at all', '[]'])(
    'input that is not whole is an error for the model, not for us: %j',
    async (input) => {
      const odd = speaking({ calls: [{ name: 'write', input }], stop: 'tool_use' })
      const { outcome } = await run([odd, good])
      expect(outcome.ok || outcome.error === 'network').toBe(true)
    },
  )

  it('a refusal ends it', async () => {
    const { outcome } = await run([speaking({ text: 'I will not.', stop: 'refusal' })])
    expect(outcome).toMatchObject({ ok: false, error: 'refused', retry: 'never' })
  })

  it('a full window ends it', async () => {
    const { outcome } = await run([speaking({ text: 'x', stop: 'model_context_window_exceeded' })])
    expect(outcome).toMatchObject({ ok: false, error: 'context' })
  })

  it('a pause is sent back as it is, but not for ever', async () => {
    const pause = speaking({ text: 'Wait.', stop: 'pause_turn' })
    const { outcome, bodies } = await run([pause, good])
    expect(outcome).toMatchObject({ ok: true })
    expect(bodies[1]?.messages.map((message) => message.role)).toEqual(['user', 'assistant'])
    expect((await run([pause])).outcome).toMatchObject({ ok: false, error: 'overloaded' })
  })

  it('an answer of nothing is asked about once', async () => {
    const { outcome, bodies } = await run([speaking({ stop: 'end_turn' }), good])
    expect(outcome).toMatchObject({ ok: true })
    expect(bodies[1]?.messages.map((message) => message.role)).toEqual(['user'])
  })

  it('a call under the wrong stop reason is still run', async () => {
    const odd = speaking({ calls: [{ name: 'report_result', input: passed }], stop: 'end_turn' })
    expect((await run([odd])).outcome).toMatchObject({ ok: true, result: passed })
  })

  it('an unknown tool is told and forgiven', async () => {
    const { outcome, bodies } = await run([
      speaking({ calls: [{ name: 'fly', input: {} }], stop: 'tool_use' }),
      good,
    ])
    expect(outcome).toMatchObject({ ok: true })
    expect(JSON.stringify(bodies[1])).toContain('no tool')
  })
})
