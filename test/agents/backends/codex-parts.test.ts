import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../source/agents/agent.js'
import { approvalsFor, isUnattended, sandboxFor } from '../../../source/agents/backends/codex-access.js'
import { createAskDesk } from '../../../source/agents/backends/codex-ask-desk.js'
import { readServerRequest } from '../../../source/agents/backends/codex-asks.js'
import { classifyCodexError, readRetry } from '../../../source/agents/backends/codex-errors.js'
import {
  changesDiff,
  liesWithin,
  shellCommand,
  toolOfItem,
} from '../../../source/agents/backends/codex-items.js'
import { createRateLimits, resetFromProse } from '../../../source/agents/backends/codex-limits.js'
import { refusalIn } from '../../../source/agents/backends/codex-refusals.js'
import { createRpc } from '../../../source/agents/backends/codex-rpc.js'
import { strictSchema } from '../../../source/agents/backends/codex-schema.js'
import { createTurnReader } from '../../../source/agents/backends/codex-turn.js'
import { resultSchemaJson, resultSchemas } from '../../../source/agents/result.js'

const now = new Date(2026, 10, 27, 21, 0, 30).getTime()
const local = (month: number, day: number, hour: number, minute: number, year = 2026) =>
  new Date(year, month - 1, day, hour, minute).getTime()
const limit = (when: string) => `You’ve hit your usage limit. Upgrade to Pro or try again ${when}.`

describe('reset times in prose, as local time', () => {
  it.each([
    ['at 11:56 PM', local(11, 27, 23, 56)],
    ['at 9:01 PM', local(11, 27, 21, 1)],
    ['at Nov 28th, 2026 12:00 AM', local(11, 28, 0, 0)],
    ['at Dec 1st, 2026 12:30 PM', local(12, 1, 12, 30)],
    ['in 3 hours 5 minutes', now + (3 * 60 + 5) * 60_000],
    ['in 2 days, 1 hour and 10 minutes', now + (49 * 60 + 10) * 60_000],
  ])('%s', (when, expected) => {
    expect(resetFromProse(limit(when), now)).toBe(expected)
  })

  it.each([
    'at 8:59 PM',
    'at 13:00 PM',
    'at 11:75 PM',
    'at Nov 26th, 2026 11:00 PM',
    'at Dec 6th, 2026 9:01 PM',
    'at Feb 30th, 2027 9:00 AM',
    'at Foo 28th, 2026 9:00 AM',
    'in 9 days',
    'later',
    'at midnight',
  ])('%s is unknown', (when) => {
    expect(resetFromProse(limit(when), now)).toBeUndefined()
  })

  it('is never a time that cannot be believed', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(now - 1e10), max: new Date(now + 1e10), noInvalidDate: true }),
        (at) => {
          const hour = at.getHours() % 12 || 12
          const half = at.getHours() < 12 ? 'AM' : 'PM'
          const month = at.toLocaleString('en-US', { month: 'short' })
          const minute = String(at.getMinutes()).padStart(2, '0')
          const text = `at ${month} ${at.getDate()}th, ${at.getFullYear()} ${hour}:${minute} ${half}`
          const reset = resetFromProse(limit(text), now)
          const meant = new Date(at).setSeconds(0, 0)
          const isBelievable = meant > now && meant - now <= 8 * 86_400_000
          expect(reset).toBe(isBelievable ? meant : undefined)
        },
      ),
    )
  })
})

describe('usage limits', () => {
  const window = (usedPercent: number, resetsAt: number | null) => ({
    usedPercent,
    windowDurationMins: 300,
    resetsAt: resetsAt === null ? null : resetsAt / 1000,
  })

  it('warns from 80 % on, once for each percent', () => {
    const limits = createRateLimits(() => now)
    expect(limits.update({ primary: window(79.9, now + 60_000) })).toBeUndefined()
    expect(limits.update({ primary: window(80, now + 60_000) })).toEqual({
      type: 'limit',
      status: 'warning',
      resetsAt: now + 60_000,
      window: '5 h',
      usedPct: 80,
    })
    expect(limits.update({ primary: window(80.4, now + 60_000) })).toBeUndefined()
    expect(limits.update({ primary: window(81, null) })).toEqual({
      type: 'limit',
      status: 'warning',
      window: '5 h',
      usedPct: 81,
    })
  })

  it('waits for the last of the full windows, and keeps what a sparse update leaves out', () => {
    const limits = createRateLimits(() => now)
    limits.update({ primary: window(100, now + 60_000), secondary: window(100, now + 90_000) })
    limits.update({ primary: null, secondary: null })
    expect(limits.resetsAt('')).toBe(now + 90_000)
    expect(limits.rejected('')).toMatchObject({ status: 'rejected', resetsAt: now + 90_000 })
  })

  it('takes the prose where no window is full, and does not believe what is past or too far', () => {
    const limits = createRateLimits(() => now)
    limits.update({ primary: window(40, now + 60_000) })
    expect(limits.resetsAt(limit('at 11:56 PM'))).toBe(local(11, 27, 23, 56))
    expect(limits.resetsAt('')).toBe(now + 60_000)
    limits.update({ primary: window(100, now - 1000) })
    expect(limits.resetsAt('')).toBeUndefined()
    limits.update({ primary: window(100, now + 9 * 86_400_000) })
    expect(limits.rejected('')).not.toHaveProperty('resetsAt')
  })
})

describe('classes of errors', () => {
  it.each([
    ['usageLimitExceeded', '', 'limit', 'later'],
    ['contextWindowExceeded', '', 'context', 'never'],
    ['unauthorized', '', 'auth', 'never'],
    ['serverOverloaded', '', 'overloaded', 'later'],
    ['cyberPolicy', '', 'refused', 'never'],
    ['sessionBudgetExceeded', '', 'budget', 'never'],
    [{ httpConnectionFailed: { httpStatusCode: 401 } }, '', 'auth', 'never'],
    [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, '', 'overloaded', 'later'],
    [{ responseStreamDisconnected: { httpStatusCode: 503 } }, '', 'overloaded', 'later'],
    [{ responseStreamDisconnected: { httpStatusCode: 400 } }, '', 'input', 'never'],
    [{ responseStreamDisconnected: { httpStatusCode: null } }, 'gone', 'network', 'later'],
    [undefined, 'unexpected status 401 Unauthorized: no key', 'auth', 'never'],
    [undefined, 'exceeded retry limit, last status: 429 Too Many Requests', 'overloaded', 'later'],
    [undefined, 'last status: 429: You’ve hit your usage limit.', 'limit', 'later'],
    [undefined, 'error sending request for url', 'network', 'later'],
    ['somethingNew', 'who knows', 'crash', 'now'],
    [17, 'who knows', 'crash', 'now'],
  ])('%j %s', (info, message, error, retry) => {
    expect(classifyCodexError(info, message)).toEqual({ error, retry })
  })

  it('reads the count of a retry', () => {
    expect(readRetry('Reconnecting... 2/5')).toEqual({ attempt: 2, max: 5 })
    expect(readRetry('Reconnecting... waiting for network')).toBeUndefined()
  })

  it('knows a refusal on stderr from one that a person gave', () => {
    const line = (error: string) => `2026-11-27T23:55:30Z ERROR codex_core::tools::router: error=${error}`
    const refused =
      'patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings'
    expect(refusalIn(line(refused))).toBe(refused)
    expect(refusalIn(line('exec_command failed: Rejected("rejected by user")'))).toBeUndefined()
    expect(refusalIn(line('connection reset'))).toBeUndefined()
    expect(refusalIn(refused)).toBeUndefined()
  })
})

describe('retries without an end', () => {
  const trouble = (message: string, details: string | null, info: unknown) => ({
    threadId: 't',
    willRetry: true,
    error: { message, additionalDetails: details, codexErrorInfo: info },
  })

  function reader(maxCalls?: number) {
    const events: AgentEvent[] = []
    const made = createTurnReader({
      cwd: '/project',
      now: () => now,
      emit: (event) => events.push(event),
      isResumed: false,
      maxCalls,
    })
    made.thread('t')
    made.begin()
    made.turn('u')
    return { made, events }
  }

  const waiting = trouble('Reconnecting... waiting for network', 'Connection failed', {
    responseStreamDisconnected: { httpStatusCode: null },
  })

  it('a network that is not there ends the turn at the fifth try in a row', () => {
    const { made, events } = reader()
    for (let at = 0; at < 4; at += 1) made.take('error', waiting)
    made.take('item/agentMessage/delta', { threadId: 't', itemId: 'i', delta: 'back' })
    for (let at = 0; at < 4; at += 1) made.take('error', waiting)
    expect(made.hopeless()).toBeUndefined()
    made.take('error', waiting)
    expect(made.hopeless()).toEqual({ error: 'network', retry: 'later', message: 'Connection failed' })
    expect(events.filter((event) => event.type === 'retry')).toHaveLength(9)
  })

  it('a refused key at the second', () => {
    const { made } = reader()
    const refused = trouble('Reconnecting... 1/5', 'unexpected status 401', {
      responseStreamDisconnected: { httpStatusCode: 401 },
    })
    made.take('error', refused)
    expect(made.hopeless()).toBeUndefined()
    made.take('error', refused)
    expect(made.hopeless()).toMatchObject({ error: 'auth', retry: 'never' })
  })

  it('model calls are counted where they are limited', () => {
    const { made } = reader(2)
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
    const events: AgentEvent[] = []
    const made = createTurnReader({
      cwd: '/project',
      now: () => now,
      emit: (event) => events.push(event),
      isResumed: true,
    })
    made.thread('ours')
    const usage = (threadId: string, total: number, last: number) => ({
      threadId,
      turnId: 'u',
      tokenUsage: {
        total: { inputTokens: total, outputTokens: total, cachedInputTokens: 0 },
        last: { inputTokens: last, outputTokens: last, cachedInputTokens: 0 },
      },
    })
    made.begin()
    made.turn('u')
    made.take('thread/tokenUsage/updated', usage('ours', 100, 10))
    made.take('thread/tokenUsage/updated', usage('theirs', 7, 7))
    made.take('item/completed', {
      threadId: 'theirs',
      item: { type: 'agentMessage', id: 'm', text: 'their word' },
    })
    made.take('turn/completed', { threadId: 'theirs', turn: { id: 'v', status: 'completed' } })
    expect(made.verdict()).toBeUndefined()
    expect(events).toEqual([
      { type: 'usage', scope: 'turn', input: 10, output: 10, cached: 0 },
      { type: 'usage', scope: 'turn', input: 7, output: 7, cached: 0 },
      { type: 'text', id: 'm', full: 'their word', agent: 'theirs' },
    ])
    made.take('turn/completed', { threadId: 'ours', turn: { id: 'u', status: 'completed', items: [] } })
    expect(made.verdict()).toEqual({ status: 'completed', text: '' })
  })
})

describe('items', () => {
  it.each([
    ["/bin/bash -lc 'npm test'", 'npm test'],
    ['/bin/bash -lc "printf \'a\\\\n\' > \\"b\\""', 'printf \'a\\n\' > "b"'],
    ['/usr/bin/zsh -c ls', 'ls'],
    ["bash -lc 'a' && rm -rf 'b'", "bash -lc 'a' && rm -rf 'b'"],
    ['npm test', 'npm test'],
  ])('%s runs %s', (command, shown) => {
    expect(shellCommand(command)).toBe(shown)
  })

  it('a diff names every file, whatever became of it', () => {
    const changes = [
      { path: '/p/new', kind: { type: 'add' }, diff: 'a\nb\n' },
      { path: '/p/old', kind: { type: 'delete' }, diff: 'c\n' },
      { path: '/p/x', kind: { type: 'update', move_path: '/p/y' }, diff: '@@ -1 +1 @@\n-1\n+2\n' },
      { path: '/etc/z', kind: { type: 'update', move_path: null }, diff: '@@ -1 +1 @@\n-1\n+2\n' },
      { path: '/p/none' },
    ]
    expect(changesDiff(changes, '/p').split('\n')).toEqual([
      '--- /dev/null',
      '+++ b/new',
      '@@ -0,0 +1,2 @@',
      '+a',
      '+b',
      '--- a/old',
      '+++ /dev/null',
      '@@ -1,1 +0,0 @@',
      '-c',
      '--- a/x',
      '+++ b/y',
      '@@ -1 +1 @@',
      '-1',
      '+2',
      '--- /etc/z',
      '+++ /etc/z',
      '@@ -1 +1 @@',
      '-1',
      '+2',
    ])
  })

  it.each([
    [[{ path: '/p/a' }], true],
    [[{ path: 'a' }], true],
    [[{ path: '../a' }], false],
    [[{ path: '/p/../q' }], false],
    [[{ path: '/p' }], false],
    [[{ path: '/p/a' }, { path: '/etc/b' }], false],
    [[{ path: '/p/a', kind: { type: 'update', move_path: '/etc/b' } }], false],
    [[], false],
    ['garbage', false],
  ])('%j lies within: %s', (changes, expected) => {
    expect(liesWithin(changes, '/p')).toBe(expected)
  })

  it('knows tools of servers and tools without a status, and ignores what is none', () => {
    const place = { cwd: '/p', over: true }
    const call = { id: 'a', type: 'mcpToolCall', server: 'files', tool: 'read', status: 'failed' }
    expect(toolOfItem({ ...call, error: { message: 'no' } }, place)).toMatchObject({
      name: 'files.read',
      status: 'failed',
      output: 'no',
    })
    const search = { id: 'b', type: 'webSearch', query: 'how' }
    expect(toolOfItem(search, { ...place, over: false })).toMatchObject({ status: 'running', title: 'how' })
    expect(toolOfItem(search, place)).toMatchObject({ status: 'ok', kind: 'read' })
    expect(toolOfItem({ id: 'c', type: 'agentMessage', text: 'hi' }, place)).toBeUndefined()
  })
})

describe('asks', () => {
  const cwd = '/project'

  function desk(access: 'read' | 'edit' | 'full', permissions: 'ask' | 'edits' | 'all', items = {}) {
    const events: AgentEvent[] = []
    const answers: unknown[] = []
    const said: string[] = []
    let stops = 0
    const made = createAskDesk({
      request: { access, permissions, cwd },
      item: (id) => (id === undefined ? undefined : (items as Record<string, Record<string, unknown>>)[id]),
      emit: (event) => events.push(event),
      answer: (id, result) => answers.push([id, result]),
      say: (text) => said.push(text),
      closed: () => {},
      stopped: () => {
        stops += 1
      },
    })
    return { made, events, answers, said, stops: () => stops }
  }

  const command = {
    itemId: 'i',
    command: "/bin/bash -lc 'npm test'",
    cwd: '/elsewhere',
    reason: 'to be sure',
    availableDecisions: [
      'accept',
      { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['/bin/bash', '-lc', 'npm test'] } },
      'cancel',
    ],
  }
  const approve = 'item/commandExecution/requestApproval'

  it('shows the command, where it runs and why; denies by default', () => {
    const { made, events } = desk('edit', 'ask')
    expect(made.take(0, approve, command)).toBe(true)
    expect(events).toMatchObject([
      { title: 'run npm test', detail: 'npm test\nin /elsewhere\nreason: to be sure', defaultNo: true },
    ])
    const ask = events[0]
    expect(ask?.type === 'ask' && ask.options.map((option) => [option.id, option.kind])).toEqual([
      ['accept', 'allow-once'],
      ['acceptForSession', 'allow-always'],
      ['acceptWithExecpolicyAmendment', 'other'],
      ['decline', 'deny'],
      ['cancel', 'other'],
    ])
  })

  it.each([
    ['accept', 'accept'],
    ['acceptForSession', 'acceptForSession'],
    ['acceptWithExecpolicyAmendment', command.availableDecisions[1]],
    ['decline', 'decline'],
    ['cancel', 'cancel'],
    ['nonsense', 'decline'],
    ['applyNetworkPolicyAmendment', 'decline'],
  ])('%s answers', (optionId, decision) => {
    const { made, answers, stops } = desk('edit', 'ask')
    made.take(0, approve, command)
    made.answer('0', { optionId })
    made.answer('0', { optionId: 'accept' })
    expect(answers).toEqual([[0, { decision }]])
    expect(stops()).toBe(optionId === 'cancel' ? 1 : 0)
  })

  it('tells the agent why after a denial, and nothing after a yes', () => {
    const { made, said } = desk('edit', 'ask')
    made.take(0, approve, command)
    made.answer('0', { optionId: 'decline', text: ' use pnpm ' })
    made.take(1, approve, command)
    made.answer('1', { optionId: 'accept', text: 'fine' })
    expect(said).toEqual(['use pnpm'])
  })

  it('a text id and a number are two requests; a resolved one waits for nobody', () => {
    const { made, events, answers } = desk('edit', 'ask')
    made.take(0, approve, command)
    made.take('0', approve, command)
    const ids = events.map((event) => event.type === 'ask' && event.askId)
    expect(new Set(ids).size).toBe(2)
    made.drop(0)
    made.answer(String(ids[0]), { optionId: 'accept' })
    made.answer(String(ids[1]), { optionId: 'accept' })
    expect(answers).toEqual([['0', { decision: 'accept' }]])
  })

  const patch = 'item/fileChange/requestApproval'
  const inside = { i: { changes: [{ path: '/project/a', kind: { type: 'add' }, diff: 'x\n' }] } }
  const outside = { i: { changes: [{ path: '/etc/a', kind: { type: 'add' }, diff: 'x\n' }] } }

  it('joins the diff of a change by its item', () => {
    const { made, events } = desk('edit', 'ask', inside)
    made.take(0, patch, { itemId: 'i' })
    expect(events).toMatchObject([{ title: 'change a', diff: '--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x' }])
  })

  it.each([
    ['edits', inside, {}, 'accept'],
    ['edits', outside, {}, undefined],
    ['edits', {}, {}, undefined],
    ['edits', inside, { grantRoot: '/' }, undefined],
    ['ask', inside, {}, undefined],
    ['all', outside, {}, 'accept'],
  ] as const)('policy %s of %j', (policy, items, more, decision) => {
    const { made, events, answers } = desk('full', policy, items)
    made.take(0, patch, { itemId: 'i', ...more })
    expect(answers).toEqual(decision === undefined ? [] : [[0, { decision }]])
    expect(events).toHaveLength(decision === undefined ? 1 : 0)
  })

  it('edits need no yes, commands do', () => {
    const { made, events } = desk('full', 'edits')
    made.take(0, approve, command)
    expect(events).toHaveLength(1)
  })

  it('a role that may only read gets no command and is told so', () => {
    const { made, events, answers, said } = desk('read', 'all')
    made.take(0, approve, command)
    expect([events, answers]).toEqual([[], [[0, { decision: 'decline' }]]])
    expect(said[0]).toContain('read only')
  })

  it('puts several questions and answers them together', () => {
    const { made, events, answers } = desk('full', 'all')
    const questions = [
      { id: 'q1', header: 'Style', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] },
      { id: 'q2', header: 'Name', question: 'What?', options: null },
    ]
    made.take(5, 'item/tool/requestUserInput', { questions })
    expect(events.map((event) => event.type === 'ask' && event.title)).toEqual(['Style', 'Name'])
    made.answer('5/0', { optionId: '1' })
    expect(answers).toEqual([])
    made.answer('5/1', { optionId: 'none', text: 'Bob' })
    expect(answers).toEqual([[5, { answers: { q1: { answers: ['B'] }, q2: { answers: ['Bob'] } } }]])
  })

  it('grants the rights that were asked for, and none after a no', () => {
    const permissions = { network: { enabled: true }, fileSystem: null }
    const place = { askId: '0', cwd, item: () => undefined }
    const ask = readServerRequest('item/permissions/requestApproval', { permissions }, place)
    const reply = (optionId: string) => ask?.reply(new Map([['0', { optionId }]])).result
    expect(reply('accept')).toEqual({ permissions: { network: { enabled: true } }, scope: 'turn' })
    expect(reply('acceptForSession')).toMatchObject({ scope: 'session' })
    expect(reply('decline')).toEqual({ permissions: {}, scope: 'turn' })
  })

  it('a form with required fields can only be refused', () => {
    const place = { askId: '0', cwd, item: () => undefined }
    const form = { serverName: 's', message: 'm', requestedSchema: { required: ['name'] } }
    const ask = readServerRequest('mcpServer/elicitation/request', form, place)
    expect(ask?.asks[0]?.options.map((option) => option.id)).toEqual(['decline'])
    expect(ask?.reply(new Map([['0', { optionId: 'accept' }]])).result).toMatchObject({ action: 'decline' })
  })

  it('whatever is in a request, it becomes an ask or nothing, and never a yes by itself', () => {
    const methods = [approve, patch, 'item/permissions/requestApproval', 'item/tool/requestUserInput']
    fc.assert(
      fc.property(
        fc.constantFrom(...methods),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (method, params) => {
          const { made, events, answers } = desk('full', 'ask')
          expect(made.take(0, method, params as Record<string, unknown>)).toBe(true)
          const isDeclined = answers.length === 1 && !JSON.stringify(answers).includes('accept')
          expect(events.length > 0 || isDeclined).toBe(true)
        },
      ),
    )
  })
})

describe('JSON-RPC', () => {
  function client() {
    const wrote: unknown[] = []
    const strays: string[] = []
    const notes: string[] = []
    const rpc = createRpc({
      write: (line) => {
        wrote.push(JSON.parse(line))
        return true
      },
      notification: (method) => notes.push(method),
      request: (_id, method) => method === 'known',
      stray: (line) => strays.push(line),
    })
    return { rpc, wrote, strays, notes }
  }

  it('matches answers by id, in any order, and knows errors', async () => {
    const { rpc, wrote } = client()
    const [one, two] = [rpc.ask('a', {}), rpc.ask('b', {})]
    rpc.take('{"id":2,"error":{"code":-32600,"message":"no"}}')
    rpc.take('{"id":1,"result":{"x":1}}')
    rpc.take('{"id":1,"result":{"x":2}}')
    expect(await one).toEqual({ ok: true, result: { x: 1 } })
    expect(await two).toEqual({ ok: false, code: -32600, message: 'no', data: {} })
    expect(wrote).toEqual([
      { method: 'a', id: 1, params: {} },
      { method: 'b', id: 2, params: {} },
    ])
  })

  it('answers a request that it does not know with an error, also one with id 0', () => {
    const { rpc, wrote } = client()
    rpc.take('{"method":"strange","id":0,"params":{}}')
    rpc.take('{"method":"known","id":1,"params":{}}')
    expect(wrote).toMatchObject([{ id: 0, error: { code: -32601 } }])
  })

  it('settles what is open at the end, and what is asked after it', async () => {
    const { rpc } = client()
    const open = rpc.ask('a', {})
    rpc.end()
    expect(await open).toMatchObject({ ok: false, code: 0 })
    expect(await rpc.ask('b', {})).toMatchObject({ ok: false, code: 0 })
  })

  it('survives any line', () => {
    const { rpc, strays } = client()
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (line) => rpc.take(line)))
    rpc.take('{"id":1,"resu')
    expect(strays.at(-1)).toBe('{"id":1,"resu')
  })
})

describe('strict schemas', () => {
  /** Everything the API asks of a strict schema, looked for everywhere. */
  function isStrict(schema: unknown): boolean {
    if (Array.isArray(schema)) return schema.every(isStrict)
    if (typeof schema !== 'object' || schema === null) return true
    const { type, properties, required, additionalProperties } = schema as Record<string, unknown>
    const isClosed =
      type !== 'object' ||
      (additionalProperties === false &&
        JSON.stringify(Object.keys(properties ?? {})) === JSON.stringify(required))
    return isClosed && Object.values(schema).every(isStrict)
  }

  it.each(['plan', 'execution', 'verification', 'review'] as const)('%s can be said strictly', (kind) => {
    const strict = strictSchema(resultSchemaJson(kind))
    expect(isStrict(strict?.schema)).toBe(true)
    expect(JSON.stringify(strict?.schema)).not.toMatch(/\$schema|default|prefixItems|minLength/)
  })

  it('takes out the nulls of what was left out, and only those', () => {
    const strict = strictSchema(resultSchemaJson('review'))
    const finding = { severity: 'high', file: 'a', line: null, title: 't', rationale: null }
    const restored = strict?.restore({ assessment: null, findings: [finding] })
    expect(restored).toEqual({ findings: [{ severity: 'high', file: 'a', line: null, title: 't' }] })
    expect(resultSchemas.review.safeParse(restored).success).toBe(true)
    const execution = strictSchema(resultSchemaJson('execution'))
    const nothing = { status: 'complete', completed: null, checkpoint: null, failure: null }
    expect(execution?.restore(nothing)).toEqual({ status: 'complete' })
  })

  it.each([
    ['an open map', { type: 'object', properties: { a: { type: 'object' } }, required: ['a'] }],
    ['anything', { type: 'object', properties: { a: {} }, required: ['a'] }],
    ['no object', { type: 'string' }],
    ['no schema', undefined],
  ])('%s cannot', (_, schema) => {
    expect(strictSchema(schema)).toBeUndefined()
  })

  it('leaves out what cannot be said where it may be missing', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] }
    expect(strictSchema(schema)?.schema).toMatchObject({ required: ['a'] })
  })
})

describe('access', () => {
  it('is a sandbox, and asks only where a yes gives no more than it', () => {
    expect(sandboxFor('read')).toBe('read-only')
    expect(sandboxFor('edit')).toBe('workspace-write')
    expect(sandboxFor('full')).toBe('danger-full-access')
    expect(approvalsFor('read')).toBe('never')
    expect(approvalsFor('edit')).toBe('untrusted')
    expect(approvalsFor('full', 'edits')).toBe('untrusted')
    expect(approvalsFor('full', 'all')).toBe('never')
    expect([isUnattended('read'), isUnattended('full'), isUnattended('full', 'all')]).toEqual([
      true,
      false,
      true,
    ])
  })
})
