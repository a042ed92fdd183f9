import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../source/agents/agent.js'
import { claudeBackend } from '../../../source/agents/backends/claude.js'
import { dispatchAgent } from '../../../source/agents/dispatch.js'
import { findMarked } from '../../../source/processes/process-marker.js'
import { eventually, trial, verifyTask } from '../agent-kit.js'
import {
  answersTo,
  commands,
  named,
  open,
  schema,
  sessions,
  times,
  transcripts,
  withSchema,
} from './claude-kit.js'
import { corruptions, cuts, expectGolden, replay } from './transcripts.js'

describe('every recorded run, through a process', () => {
  const inOneGo = transcripts.filter((each) => each.name !== 'interrupt')

  it.each(inOneGo)('$name: the same events, and the recorded answers', async ({ name }) => {
    const transcript = named(name)
    const { conversation, events, played, request } = await open(transcript, {
      // A program that was killed does not wait for the end of its input.
      endAtEof: name !== 'sigterm-tool',
      answer: answersTo(name),
      request: { schema: withSchema.has(name) ? schema : undefined, session: sessions[name] },
      on(event, open) {
        if (name === 'steer' && event.type === 'tool' && event.status === 'failed') {
          expect(open.send('mid-run message: also do X')).toBe('sent')
        }
      },
    })
    await conversation.done
    await expectGolden('claude', name, events)
    expect(await findMarked(request.runId)).toEqual([])
    if (transcript.input.length > 0) {
      const recorded = transcript.input.map((line) => JSON.parse(line))
      for (const line of recorded) delete line.response?.response?.toolUseID
      expect(played.heard()).toEqual(recorded)
    }
  })

  it('permission-allow with a number for the id of its request: the same number is answered', async () => {
    const recorded = named('permission-allow')
    const numbered = (line: string) => line.replace('"a0000000-0000-4000-8000-000000000108"', '12')
    const { conversation, events, played } = await open(
      { ...recorded, lines: recorded.lines.map(numbered), input: recorded.input.map(numbered) },
      { answer: answersTo('permission-allow') },
    )
    expect(await conversation.done).toMatchObject({ ok: true })
    expect(events.flatMap((event) => (event.type === 'ask' ? [event.askId] : []))).toEqual(['#12'])
    expect(played.heard().at(-1)).toMatchObject({
      type: 'control_response',
      response: { request_id: 12, response: { behavior: 'allow' } },
    })
  })

  it('interrupt: the turn ends, the conversation does not', async () => {
    const transcript = named('interrupt')
    const said = (events: AgentEvent[]) =>
      events.filter((event) => event.type === 'text' && event.delta).length
    const { conversation, events, played } = await open(transcript)
    const first = conversation.done
    await eventually(() => said(events) === 7)
    await conversation.interrupt()
    expect(await first).toMatchObject({ ok: false, error: 'aborted', usage: { input: 312, output: 56 } })
    expect(conversation.send('second turn after interrupt')).toBe('sent')
    const second = conversation.done
    expect(second).not.toBe(first)
    await eventually(() => said(events) === 14)
    await conversation.interrupt()
    expect(await second).toMatchObject({ ok: false, error: 'aborted', usage: { input: 624, output: 112 } })
    await conversation.close()
    expect(conversation.send('third')).toBe('unsupported')
    const kinds = played.heard().map((line) => (line as { type: string }).type)
    expect(kinds).toEqual(['user', 'control_request', 'user', 'control_request'])
    expect(events.filter((event) => event.type === 'session')).toHaveLength(1)
    expect(events.filter((event) => event.type === 'end')).toHaveLength(2)
  })
})

describe('what goes wrong', () => {
  const good = named('success-schema')

  it('never succeeds when the program breaks off, whatever its exit code', async () => {
    const broken = cuts({ ...good, input: [] }).filter(
      ({ at }) => at % 5 === 0 || at === good.lines.length - 1,
    )
    for (const { title, transcript } of broken) {
      const { conversation } = await open(transcript, {
        endAtEof: false,
        answer: () => ({ optionId: 'allow' }),
        request: { schema },
      })
      expect(await conversation.done, title).toMatchObject({ ok: false, error: 'crash' })
    }
  })

  it('ends by the clock when a question was garbled and both wait for the other', async () => {
    const at = good.lines.findIndex((line) => line.includes('can_use_tool'))
    const lines = good.lines.with(at, corruptions.halved(good.lines[at] ?? '')).slice(0, at + 1)
    const { conversation, request } = await open(
      { ...good, lines },
      { request: { schema, limits: { firstMs: 20_000, idleMs: 20_000, wallMs: 1500 } } },
    )
    expect(await conversation.done).toMatchObject({ ok: false, error: 'timeout' })
    expect(await findMarked(request.runId)).toEqual([])
  })

  it('stops at once when the key is refused', async () => {
    const retrying = named('error-429-retry')
    const lines = retrying.lines
      .slice(0, 2)
      .map((line) => line.replace('"error_status":429', '"error_status":401'))
    const { conversation, events } = await open({ ...retrying, lines })
    expect(await conversation.done).toMatchObject({ ok: false, error: 'auth', retry: 'never' })
    expect(events.some((event) => event.type === 'retry')).toBe(true)
  })

  it('closed in the middle: a stop, however good the result', async () => {
    const { conversation, request } = await open({ ...good, lines: good.lines.slice(0, 18) })
    await eventually(() => conversation.sessionId !== undefined)
    expect(await conversation.close()).toMatchObject({ ok: false, error: 'aborted' })
    expect(await findMarked(request.runId)).toEqual([])
  })

  it('begins anew when the conversation to resume is gone', async () => {
    const missing = named('resume-missing')
    const { conversation, events, played } = await open(missing, {
      next: named('permission-none'),
      request: { prompt: 'go on', session: { id: 'gone', mode: 'resume', task: 'the whole task' } },
    })
    expect(await conversation.done).toMatchObject({ ok: true })
    expect(played.starts().map(({ argv }) => argv.includes('--resume'))).toEqual([true, false])
    const prompts = played.heard().map((line) => JSON.stringify(line))
    expect(prompts.at(-1)).toContain('the whole task')
    expect(events.filter((event) => event.type === 'end')).toHaveLength(1)
  })

  it('says why where only stderr tells', async () => {
    const { conversation } = await open(
      { ...good, lines: [], exit: 1 },
      { endAtEof: false, stderr: 'Error: session already in use\n' },
    )
    const outcome = await conversation.done
    expect(outcome).toMatchObject({ ok: false, error: 'input' })
    if (!outcome.ok) expect(outcome.message).toContain('session already in use')
  })

  it('refuses a version that is too old, and starts nothing', async () => {
    const { conversation, played } = await open(good, {
      commands: { '--version': { stdout: '2.0.9 (Claude Code)\n' } },
    })
    const outcome = await conversation.done
    expect(outcome).toMatchObject({ ok: false, error: 'spawn', retry: 'never' })
    if (!outcome.ok) expect(outcome.message).toContain('2.0.9 is too old')
    expect(played.starts()).toEqual([])
  })

  it('tells that the program is missing', async () => {
    const backend = claudeBackend({ program: '/nowhere/claude' })
    expect(await backend.detect()).toBeUndefined()
    const reply = await dispatchAgent(verifyTask(), trial(backend).context)
    expect(reply).toMatchObject({ ok: false, error: 'spawn' })
  })
})

describe('a dispatch', () => {
  it('asks once, in the same conversation, to mend a result that does not fit', async () => {
    const wrong = named('success-schema')
    const fitting = wrong.lines.map((line) =>
      line.replace(/"structured_output":\{[^}]*\}/, '"structured_output":{"verdict":"pass","gaps":[]}'),
    )
    const played = replay(wrong, { commands, next: { ...named('resume'), lines: fitting } })
    const { context, lines } = trial(claudeBackend({ program: played.program, times }), {
      ask: async () => ({ optionId: 'allow' }),
    })
    const reply = await dispatchAgent(verifyTask({ access: 'full' }), context)
    expect(reply).toMatchObject({
      ok: true,
      result: { verdict: 'pass' },
      usage: { inputTokens: 1248, outputTokens: 200 },
    })
    const id = 'a0000000-0000-4000-8000-000000000001'
    expect(played.starts().map(({ argv }) => argv.includes(id))).toEqual([false, true])
    expect(lines.map((line) => line.text)).toContain(
      'The result is not valid; asking the agent once to mend it.',
    )
    const log = readFileSync(join(context.projectDir, context.sessionDir, 'logs/d1.log'), 'utf8')
    expect(log).toContain('> {"type":"user"')
  })
})
