import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { AgentEvent, OpenRequest } from '../../../source/agents/agent.js'
import { acpBackend } from '../../../source/agents/backends/acp.js'
import { dispatchAgent } from '../../../source/agents/dispatch.js'
import { findMarked } from '../../../source/processes/process-marker.js'
import { eventually, temporaryDirectory, trial, verifyTask } from '../agent-kit.js'
import { converse, messages } from './acp-kit.js'

const program = fileURLToPath(new URL('../../fixtures/fake-agents/acp-agent.mjs', import.meta.url))
const schema = { type: 'object' }
const passed = { verdict: 'pass', gaps: [] }

function small(mode: string) {
  const record = join(temporaryDirectory(), 'heard')
  const backend = acpBackend({ id: 'acp', argv: [process.execPath, program, mode, record] })
  const heard = () => (existsSync(record) ? messages(readFileSync(record, 'utf8').split('\n')) : [])
  const prompts = () =>
    heard()
      .filter(({ method }) => method === 'session/prompt')
      .map(({ params }) => params?.prompt?.[0]?.text ?? '')
  return { backend, heard, prompts }
}

/** One turn to its end; every question is answered with `option`. */
async function once(mode: string, changes: Partial<OpenRequest> = {}, option = 'yes', text?: string) {
  const agent = small(mode)
  const { conversation, events } = await converse(agent.backend, { schema, ...changes }, (event, open) => {
    if (event.type === 'ask') open.answer(event.askId, { optionId: option, ...(text ? { text } : {}) })
  })
  const outcome = await conversation.done
  await conversation.close()
  return { ...agent, outcome, events }
}

const ofType = <Type extends AgentEvent['type']>(events: AgentEvent[], type: Type) =>
  events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type)

describe('the prompt', () => {
  it('carries role and schema, each once', async () => {
    const { prompts } = await once('done', { prompt: 'Do it.', systemAppend: 'You are careful.' })
    expect(prompts()).toHaveLength(1)
    expect(prompts()[0]).toMatch(/^You are careful\.\n\nDo it\.\n/)
    expect(prompts()[0]).toContain(JSON.stringify(schema, undefined, 2))
    const known = `Result:\n${JSON.stringify(schema, undefined, 2)}\n`
    expect((await once('done', { prompt: known })).prompts()).toEqual([known])
  })

  it('is not sent into a running turn: the next one waits, and its result counts', async () => {
    const agent = small('two-answers')
    const { conversation } = await converse(agent.backend, { schema })
    expect(conversation.send('Look again.')).toBe('queued')
    expect(await conversation.done).toMatchObject({
      ok: true,
      result: passed,
      usage: { input: 20, output: 4 },
    })
    expect(agent.prompts()[1]).toMatch(/^Look again\./)
    await conversation.close()
    expect(conversation.send('More?')).toBe('unsupported')
  })
})

describe('the result', () => {
  it('is that of the final message, not one before the last tool', async () => {
    const { outcome } = await once('early-result')
    expect(outcome).toMatchObject({ ok: false, error: 'schema' })
  })

  it('is mended by a second prompt in the same session', async () => {
    const agent = small('mend')
    const reply = await dispatchAgent(verifyTask(), trial(agent.backend).context)
    expect(reply).toMatchObject({ ok: true, result: passed, usage: { inputTokens: 20 } })
    expect(agent.heard().filter(({ method }) => method === 'session/new')).toHaveLength(1)
    expect(agent.prompts()[1]).toContain('verdict:')
  })

  it('does not count for an unknown reason to stop', async () => {
    const { outcome } = await once('still-unknown')
    expect(outcome).toMatchObject({ ok: false, error: 'crash' })
  })

  it.each(['banner', 'odd-kinds'])('is not disturbed by what is not for us: %s', async (mode) => {
    const { outcome, events } = await once(mode)
    expect(outcome).toMatchObject({ ok: true, result: passed })
    const logged = ofType(events, 'log').map(({ line }) => line)
    expect(logged).toEqual(mode === 'banner' ? ['Loaded cached credentials.', '{"level":"info"}'] : [])
  })
})

describe('permissions', () => {
  it.each([
    ['ask', 'full', ['yes', 'yes', 'yes'], 2],
    ['edits', 'full', ['yes', 'yes', 'yes'], 1],
    ['all', 'full', ['yes', 'yes', 'yes'], 0],
    ['all', 'read', ['yes', 'no', 'yes'], 0],
    ['ask', 'read', ['yes', 'no', 'yes'], 1],
  ] as const)('policy %s, access %s', async (permissions, access, answers, questions) => {
    const { outcome, events } = await once('permissions', { permissions, access })
    expect(outcome).toMatchObject({ ok: true, result: { gaps: answers } })
    expect(ofType(events, 'ask')).toHaveLength(questions)
    const denied = ofType(events, 'tool').filter(({ status }) => status === 'denied')
    expect(denied.map(({ output }) => output?.includes('read only'))).toEqual(access === 'read' ? [true] : [])
  })

  it('puts one question after the other, with a row for each option', async () => {
    const agent = small('permissions')
    let open = 0
    const { conversation, events } = await converse(agent.backend, { schema }, (event, it) => {
      if (event.type !== 'ask') return
      open += 1
      expect(open).toBe(1)
      setImmediate(() => {
        open -= 1
        it.answer(event.askId, { optionId: event.title.startsWith('edit') ? 'ever' : 'no' })
      })
    })
    expect(await conversation.done).toMatchObject({ ok: true, result: { gaps: ['yes', 'ever', 'no'] } })
    expect(ofType(events, 'ask').map(({ title, detail }) => [title, detail])).toEqual([
      ['edit t1', 'run t1'],
      ['execute t2', 'run t2'],
    ])
    expect(ofType(events, 'ask')[0]?.options.map(({ id, kind }) => [id, kind])).toEqual([
      ['yes', 'allow-once'],
      ['ever', 'allow-always'],
      ['no', 'deny'],
    ])
    await conversation.close()
  })

  it('an agent that stops over a rule is told the rule and goes on', async () => {
    const { outcome, prompts, events } = await once('stops-when-denied', { access: 'read' })
    expect(outcome).toMatchObject({ ok: true, result: passed })
    expect(prompts()[1]).toContain('Denied: edit t1. This role may read only')
    expect(ofType(events, 'tool').map(({ status }) => status)).toEqual(['running', 'denied'])
  })

  it('tells the agent why a person said no', async () => {
    const { outcome, prompts } = await once('stops-when-denied', {}, 'no', 'Use the other file.')
    expect(outcome).toMatchObject({ ok: true, result: passed })
    expect(prompts()[1]).toContain('Use the other file.')
  })

  it('takes an option that was never offered as no', async () => {
    const { outcome } = await once('stops-when-denied', {}, 'something else')
    expect(outcome).toMatchObject({ ok: false, error: 'schema' })
  })

  it('answers what is open as cancelled when the turn is interrupted', async () => {
    const agent = small('permissions')
    const { conversation } = await converse(agent.backend, { schema }, (event, it) => {
      if (event.type === 'ask') void it.interrupt()
    })
    expect(await conversation.done).toMatchObject({ ok: false, error: 'aborted' })
    await conversation.close()
    const outcomes = agent.heard().flatMap(({ result }) => (result?.outcome ? [result.outcome] : []))
    expect(outcomes.filter(({ optionId }) => optionId === undefined)).toHaveLength(2)
  })
})

describe('an earlier conversation', () => {
  const session = { id: 's-old', mode: 'resume', task: 'The whole task.' } as const

  it('goes on; its history is neither shown nor billed again', async () => {
    const { outcome, events, prompts } = await once('load', { session, prompt: 'Go on.' })
    expect(prompts()).toEqual(['Go on.'])
    expect(events.map(({ type }) => type)).toEqual(['session', 'usage', 'text', 'usage', 'end'])
    expect(outcome).toMatchObject({ ok: true, usage: { usd: 2.5 } })
    expect(ofType(events, 'session')).toMatchObject([{ id: 's-old' }])
  })

  it.each(['load-fails', 'done'])('that is lost begins anew with the whole task: %s', async (mode) => {
    const { outcome, events, prompts } = await once(mode, { session, prompt: 'Go on.' })
    expect(outcome).toMatchObject({ ok: true })
    expect(prompts()[0]).toContain('The whole task.')
    expect(prompts()[0]).toContain('broken off')
    expect(ofType(events, 'session')).toMatchObject([{ id: 's-new' }])
    expect(ofType(events, 'log').some(({ line }) => line.includes('is lost'))).toBe(true)
  })

  it('that is lost with its task is an error', async () => {
    const { outcome } = await once('load-fails', { session: { id: 's-old', mode: 'resume' } })
    expect(outcome).toMatchObject({ ok: false, error: 'input', retry: 'never' })
  })
})

describe('the model', () => {
  it('is chosen where it is offered', async () => {
    const { heard } = await once('model', { model: 'large' })
    const [choice] = heard().filter(({ method }) => method === 'session/set_config_option')
    expect(choice).toMatchObject({ params: { sessionId: 's-new', configId: 'm', value: 'large' } })
  })

  it('stays that of the agent where it is not', async () => {
    const { outcome, events } = await once('model', { model: 'huge' })
    expect(outcome).toMatchObject({ ok: true })
    expect(ofType(events, 'log').map(({ line }) => line)).toEqual([
      'the agent does not offer the model huge; its own is used',
    ])
  })
})

describe('stopping', () => {
  const limits = { firstMs: 50_000, idleMs: 50_000, wallMs: 55_000 }

  it('ends the turn, and what the agent claims after it does not count', async () => {
    const agent = small('slow')
    const { conversation } = await converse(agent.backend, { schema }, (event, it) => {
      if (event.type === 'text' && event.delta?.startsWith('working')) void it.interrupt()
    })
    expect(await conversation.done).toMatchObject({ ok: false, error: 'aborted' })
    expect(conversation.send('Go on.')).toBe('sent')
    expect(await conversation.done).toMatchObject({ ok: true, result: passed })
    await conversation.close()
  })

  it('ends an agent that does not listen, and everything it started', async () => {
    const agent = small('deaf')
    const runId = `deaf-${process.pid}-${Date.now()}`
    const { conversation, events } = await converse(agent.backend, { schema, runId })
    await eventually(() => ofType(events, 'text').length > 0)
    await conversation.interrupt()
    expect(await conversation.done).toMatchObject({ ok: false, error: 'aborted' })
    await conversation.close()
    expect(await findMarked(runId)).toEqual([])
  })

  it('does not wait for the handshake', async () => {
    const { conversation } = await converse(small('silent').backend, { schema })
    expect(await conversation.close()).toMatchObject({ ok: false, error: 'aborted' })
  })

  it('is done by the clock where the handshake never ends', async () => {
    const { outcome } = await once('silent', { limits: { ...limits, firstMs: 300 } })
    expect(outcome).toMatchObject({ ok: false, error: 'timeout' })
  })

  it.each([
    ['tools', { turns: 3 }, 'turns'],
    ['costly', { usd: 2 }, 'budget'],
  ])('%s: a limit ends it', async (mode, more, error) => {
    const { outcome } = await once(mode, { limits: { ...limits, ...more } })
    expect(outcome).toMatchObject({ ok: false, error, retry: 'never' })
  })
})

describe('programs that fail', () => {
  it('dies in the middle', async () => {
    const { outcome } = await once('dies')
    expect(outcome).toMatchObject({ ok: false, error: 'crash', retry: 'now' })
    if (!outcome.ok) expect(outcome.message).toContain('exit code 3. It wrote:\nout of memory')
  })

  it('speaks another protocol', async () => {
    const { outcome } = await once('strange')
    expect(outcome).toMatchObject({ ok: false, error: 'crash' })
    if (!outcome.ok) expect(outcome.message).toContain('Agent Client Protocol')
  })

  it('is missing', async () => {
    const backend = acpBackend({ id: 'acp', argv: ['/nowhere/agent'] })
    expect(await backend.detect()).toBeUndefined()
    const { conversation } = await converse(backend)
    expect(await conversation.done).toMatchObject({ ok: false, error: 'spawn', retry: 'never' })
    expect(conversation.send('Hello?')).toBe('unsupported')
    await conversation.close()
  })
})
