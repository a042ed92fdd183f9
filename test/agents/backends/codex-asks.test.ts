import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../source/agents/agent.js'
import { approvalsFor, isUnattended, sandboxFor } from '../../../source/agents/backends/codex-access.js'
import { createAskDesk } from '../../../source/agents/backends/codex-ask-desk.js'
import { readServerRequest } from '../../../source/agents/backends/codex-asks.js'

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
