import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandBackend } from '../../source/agents/backends/command.js'
import { dispatchAgent } from '../../source/agents/dispatch.js'
import { findMarked } from '../../source/processes/process-marker.js'
import {
  dispatchFake,
  eventually,
  fake,
  fakeAgent,
  isAlive,
  temporaryDirectory,
  trial,
  verifyTask,
} from './agent-kit.js'

const passed = { verdict: 'pass', gaps: [] }

describe('what counts as the result', () => {
  it.each(['end', 'outcome', 'delta', 'no-newline', 'garbage', 'long-line', 'close-stdin'])(
    'finds it: %s',
    async (mode) => {
      const reply = await dispatchFake(mode)
      expect(reply).toMatchObject({ ok: true, result: passed })
    },
  )

  it('keeps the words of a result that is no text, in which 9.0 is not 9', async () => {
    const reply = await dispatchFake('end')
    expect(reply).toMatchObject({ raw: expect.stringContaining('"type":"end"') })
  })

  it('takes the usage of the outcome', async () => {
    const reply = await dispatchFake('outcome')
    expect(reply.usage).toEqual({ inputTokens: 7, outputTokens: 3 })
  })
})

describe('what never counts as success', () => {
  it.each(['two', 'block'])('results that contradict each other: %s', async (mode) => {
    expect(await dispatchFake(mode)).toMatchObject({ ok: false, error: 'schema' })
  })

  it.each([
    ['empty', 'schema', 'It printed nothing'],
    ['talk', 'schema', 'no end line and no JSON block'],
    ['half', 'schema', 'no end line'],
    ['broken-block', 'schema', 'without a result. Its last json block is not valid JSON: '],
    ['fail-with-result', 'crash', 'exit code 1 although it printed a result. It wrote:\nout of memory'],
    ['own-failure', 'limit', 'weekly limit'],
    ['invalid', 'schema', 'verdict:'],
    ['block', 'schema', 'two different results'],
    ['two', 'schema', 'two different results'],
  ])('%s', async (mode, error, message) => {
    const reply = await dispatchFake(mode)
    expect(reply).toMatchObject({ ok: false, error })
    if (!reply.ok) expect(reply.message).toContain(message)
  })

  it.each([
    ['on stdout', 'echo "You\'ve hit your limit · resets 3am (UTC)"; exit 1'],
    ['on stderr', 'echo thinking; echo "usage limit reached, try again in 2h" >&2; exit 1'],
    ['with a time', 'echo "Rate limit exceeded. Please try again in 44 minutes."; exit 1'],
    ['with its header', 'echo "HTTP 429" >&2; echo "retry-after: 1800" >&2; exit 1'],
  ])('a program that ends with the word that its usage limit is reached, %s', async (_, script) => {
    const reply = await dispatchAgent(verifyTask(), trial(commandBackend(['sh', '-c', script])).context)
    expect(reply).toMatchObject({ ok: false, error: 'limit', resetsAt: expect.any(Number) })
  })

  it('too many requests without a time are waited for as an overloaded model', async () => {
    const script = 'echo "429 Too Many Requests"; exit 1'
    const reply = await dispatchAgent(verifyTask(), trial(commandBackend(['sh', '-c', script])).context)
    expect(reply).toMatchObject({ ok: false, error: 'overloaded', retry: 'later' })
  })

  it.each([
    ['on stdout', 'echo "Error: the conversation is too long"; exit 1'],
    ['on stderr', 'echo thinking; echo "prompt is too long: 250000 tokens > 200000 maximum" >&2; exit 1'],
  ])('a program that ends with the word that its conversation is full, %s', async (_, script) => {
    const reply = await dispatchAgent(verifyTask(), trial(commandBackend(['sh', '-c', script])).context)
    expect(reply).toMatchObject({ ok: false, error: 'context', message: expect.stringContaining('too long') })
  })

  it('a program that says only in its text why it ends with a failure: its words are handed on', async () => {
    const script = 'echo "I cannot find the key."; echo "Where is it?"; exit 1'
    const reply = await dispatchAgent(verifyTask(), trial(commandBackend(['sh', '-c', script])).context)
    expect(reply).toMatchObject({ ok: false, error: 'crash', said: 'I cannot find the key.\nWhere is it?' })
  })

  it.each([
    ['long before its end', 'echo "usage limit reached"; seq 20; exit 1', 'crash'],
    ['and ends well', 'echo "usage limit reached"', 'schema'],
    ['of its conversation long before its end', 'echo "prompt is too long"; seq 20; exit 1', 'crash'],
    ['of its conversation and ends well', 'echo "prompt is too long"', 'schema'],
  ])('but not of one that says so %s', async (_, script, error) => {
    const reply = await dispatchAgent(verifyTask(), trial(commandBackend(['sh', '-c', script])).context)
    expect(reply).toMatchObject({ ok: false, error })
  })

  it('a failure beside the type of the end line, whatever comes with it', async () => {
    const line = JSON.stringify({
      type: 'end',
      ok: false,
      error: 'limit',
      message: 'no more',
      result: passed,
    })
    const script = `echo '${line}'`
    const reply = await dispatchAgent(verifyTask(), trial(commandBackend(['sh', '-c', script])).context)
    expect(reply).toMatchObject({ ok: false, error: 'limit', message: 'no more' })
  })

  it('a result that was printed before the agent was stopped', async () => {
    const { context, lines, controller } = trial(fake('stubborn'))
    const reply = dispatchAgent(verifyTask(), context)
    await eventually(() => lines.some((line) => line.text === 'ready'))
    controller.abort()
    expect(await reply).toMatchObject({ ok: false, error: 'aborted' })
    expect(await findMarked(context.runId)).toEqual([])
  })

  it('an agent that is still at work when its time is up', async () => {
    const { context } = trial(fake('silent'))
    const reply = await dispatchAgent(verifyTask({ wallMs: 300 }), context)
    expect(reply).toMatchObject({ ok: false, error: 'timeout' })
  })

  it('a run that was stopped before it began', async () => {
    const { context, controller } = trial(fake('end'))
    controller.abort()
    expect(await dispatchAgent(verifyTask(), context)).toMatchObject({ ok: false, error: 'aborted' })
  })
})

describe('programs that cannot be started', () => {
  it('is missing', async () => {
    const { context } = trial(commandBackend(['/nowhere/agent']))
    const reply = await dispatchAgent(verifyTask(), context)
    expect(reply).toMatchObject({ ok: false, error: 'spawn', retry: 'never' })
    if (!reply.ok) expect(reply.message).toContain('"/nowhere/agent" was not found')
  })

  it('is not executable', async () => {
    const program = join(temporaryDirectory(), 'agent')
    writeFileSync(program, '#!/bin/sh\n')
    chmodSync(program, 0o644)
    const reply = await dispatchAgent(verifyTask(), trial(commandBackend([program])).context)
    expect(reply).toMatchObject({ ok: false, error: 'spawn' })
    if (!reply.ok) expect(reply.message).toContain('may not be executed')
  })

  it('gets an argument that is too long', async () => {
    const { context } = trial(commandBackend([process.execPath, fakeAgent, 'x'.repeat(200_000)]))
    const reply = await dispatchAgent(verifyTask(), context)
    expect(reply).toMatchObject({ ok: false, error: 'spawn' })
    if (!reply.ok) expect(reply.message).toContain('too long')
  })

  it('is told by detect', async () => {
    expect(await commandBackend(['/nowhere/agent']).detect()).toBeUndefined()
    expect(await commandBackend(['no-such-program-anywhere']).detect()).toBeUndefined()
    expect(await commandBackend([process.execPath]).detect()).toMatchObject({ path: process.execPath })
  })
})

describe('the contract', () => {
  it('hands over prompt, environment and dispatch file, and nothing else', async () => {
    const { context } = trial(fake('environment'))
    const reply = await dispatchAgent(verifyTask({ attempt: 3 }), context)
    if (!reply.ok) throw new Error(reply.message)
    const seen = JSON.parse(reply.result.gaps[0] ?? '')
    const file = join(context.projectDir, '.harness/sessions/mail/dispatches/d1.json')
    expect(seen.prompt).toBe('Check it.\n')
    expect(seen.cwd).toBe(context.projectDir)
    expect(seen.env).toEqual({
      AUTOPILOT_RUN_ID: context.runId,
      AUTOPILOT_ATTEMPT_ID: `${context.runId}/d1`,
      AUTOPILOT_SESSION_DIR: '.harness/sessions/mail',
      AUTOPILOT_PERSONA: 'harness-verifier',
      AUTOPILOT_PHASE: '2',
      AUTOPILOT_ATTEMPT: '3',
      AUTOPILOT_DISPATCH: file,
    })
    expect(seen.dispatch).toMatchObject({
      id: 'd1',
      workflow: 'harness',
      persona: 'harness-verifier',
      attempt: 3,
      slug: 'mail',
      expects: 'verification',
      resultSchema: { type: 'object', required: ['verdict'] },
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const extra = (reply.result.evidence ?? []).filter(
      (name) => !(name in context.env) && !name.startsWith('AUTOPILOT_'),
    )
    expect(extra).toEqual([])
  })

  it('passes events on, adds usage up and collects denials', async () => {
    const { context, lines, events, sessions, usages } = trial(fake('events'))
    const reply = await dispatchAgent(verifyTask(), context)
    expect(reply).toMatchObject({ ok: true, sessionId: 'conversation-1', denials: ['src/a.ts'] })
    expect(reply.usage).toEqual({ inputTokens: 30, outputTokens: 10, usd: 0.75 })
    expect(usages.at(-1)).toEqual({ inputTokens: 30, outputTokens: 10, usd: 0.75 })
    expect(sessions).toEqual(['conversation-1'])
    expect(events.map((event) => event.type)).not.toContain('ask')
    const shown = lines.filter((line) => line.text !== 'a warning')
    expect(shown.map((line) => `${line.kind}|${line.text}`)).toEqual([
      'note|model tiny',
      'thinking|hm',
      'tool|Bash: npm test',
      'tool|Bash: npm test ok',
      'tool|Write: src/a.ts',
      'error|Write: src/a.ts was not permitted',
      'log|asked "May I?", but an agent of this kind cannot be answered',
    ])
  })

  it('shows no escape sequence, and logs every byte', async () => {
    const { context, lines, log } = trial(fake('escapes'))
    await dispatchAgent(verifyTask(), context)
    expect(lines.map((line) => line.text)).toEqual(['before red after', 'ahidden\ufffdb'])
    expect(log()).toContain('\u001b]0;owned\u0007\u001b[2J')
  })

  it('writes the log with the prompt, marked by stream, without secrets, for the owner only', async () => {
    const { context, log } = trial(fake('secret'))
    context.env.SOME_API_KEY = 'quite-secret-value'
    await dispatchAgent(verifyTask(), context)
    expect(log()).toBe(
      [
        '> Check it.',
        '  the key is [redacted]',
        '  and [redacted]',
        '  {"type":"end","result":{"verdict":"pass","gaps":[]}}',
        '',
      ].join('\n'),
    )
    const path = join(context.projectDir, '.harness/sessions/mail/logs/d1.log')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
})

describe('much output', () => {
  it('reports a line of 50 MB and reads on', async () => {
    const { context, lines } = trial(fake('long-line'))
    expect(await dispatchAgent(verifyTask(), context)).toMatchObject({ ok: true })
    expect(lines.map((line) => line.text)).toEqual(['a line of 50 MB was too long and is not read'])
  })

  it('stays within bounded memory and a bounded log for 200 MB', async () => {
    let count = 0
    const { context } = trial(fake('flood', '200'), {
      line: (told) => {
        count += 'count' in told ? told.count : 1
      },
      event: undefined,
    })
    const before = process.memoryUsage().rss
    expect(await dispatchAgent(verifyTask(), context)).toMatchObject({ ok: true, result: passed })
    expect(count).toBe(1_000_001 - 1)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
    const path = join(context.projectDir, '.harness/sessions/mail/logs/d1.log')
    expect(statSync(path).size).toBeLessThan(64 * 1024 * 1024 + 200)
    const text = readFileSync(path, 'latin1')
    expect(text.length).toBeGreaterThan(63.9 * 1024 * 1024)
    expect(text.indexOf(' bytes are left out here: ')).toBeGreaterThan(7.9 * 1024 * 1024)
    expect(text.slice(-200)).toMatch(/"type":"end".*\n$/)
  })
})

describe('processes', () => {
  it.each([
    ['in a session of its own that ignores SIGTERM', 'grandchild'],
    ['that dropped its whole environment', 'scrubbed'],
  ])('finds and ends a grandchild %s', async (_, mode) => {
    const { context, lines, controller } = trial(fake(mode))
    const reply = dispatchAgent(verifyTask(), context)
    await eventually(() => lines.length > 0)
    const pid = Number(lines[0]?.text.replace('grandchild ', ''))
    expect(isAlive(pid)).toBe(true)
    controller.abort()
    expect(await reply).toMatchObject({ ok: false, error: 'aborted' })
    expect(isAlive(pid)).toBe(false)
  })

  it('ends what a finished agent left behind, and is not held up by a pipe that it holds', async () => {
    const { context, lines } = trial(fake('leaves-grandchild'))
    expect(await dispatchAgent(verifyTask(), context)).toMatchObject({ ok: true })
    expect(isAlive(Number(lines[0]?.text.replace('grandchild ', '')))).toBe(false)
    expect(lines.at(-1)?.text).toBe('one process that the agent left behind was ended')
  })

  it('suspends and continues', async () => {
    const counter = join(temporaryDirectory(), 'count')
    let pause: (on: boolean) => void = () => {}
    const { context, lines, controller } = trial(fake('ticks', counter), {
      hold: (given) => {
        pause = given
      },
    })
    const reply = dispatchAgent(verifyTask(), context)
    await eventually(() => lines.length > 0)
    const read = () => (existsSync(counter) ? Number(readFileSync(counter, 'utf8') || 0) : 0)
    await eventually(() => read() > 0)
    pause(true)
    await new Promise((resolve) => setTimeout(resolve, 400))
    const held = read()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(read()).toBe(held)
    pause(false)
    await eventually(() => read() > held)
    controller.abort()
    await reply
  })
})
