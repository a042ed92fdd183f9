import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentEvent, Conversation, OpenRequest } from '../../../source/agents/agent.js'
import { claudeBackend } from '../../../source/agents/backends/claude.js'
import { dispatchAgent } from '../../../source/agents/dispatch.js'
import { childEnvironment } from '../../../source/project/commands.js'
import { findMarked } from '../../../source/project/process-marker.js'
import { eventually, freshRunId, temporaryDirectory, trial, verifyTask } from '../agent-kit.js'
import {
  corruptions,
  cuts,
  expectGolden,
  loadTranscripts,
  type Replay,
  type ReplayOptions,
  replay,
  type Transcript,
} from './transcripts.js'

const transcripts = loadTranscripts('claude')
const recordedAt = Date.parse('2026-11-27T20:45:00Z')
const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }
const commands = { '--version': { stdout: '2.1.332 (Claude Code)\n' } }
/** Without rungs to wait for: a fake that hangs is ended at once. */
const times = { interruptMs: 100, termMs: 5000, markedMs: 2000, killRounds: 100, pollMs: 10 }

type Ask = Extract<AgentEvent, { type: 'ask' }>
type Answer = { optionId: string; text?: string }

interface Opened {
  conversation: Conversation
  events: AgentEvent[]
  played: Replay
  request: OpenRequest
}

interface OpenOptions extends ReplayOptions {
  request?: Partial<OpenRequest>
  answer?: (ask: Ask) => Answer
  on?: (event: AgentEvent, conversation: Conversation) => void
}

function named(name: string): Transcript {
  const found = transcripts.find((each) => each.name === name)
  if (!found) throw new Error(`no transcript ${name}`)
  // Our host asks for no greeting, so it gets none.
  const isGreeting = (line: string) => /"initialize"|"request_id":"i1"/.test(line)
  return {
    ...found,
    lines: found.lines.filter((line) => !isGreeting(line)),
    input: found.input.filter((line) => !isGreeting(line)),
  }
}

async function open(transcript: Transcript, options: OpenOptions = {}): Promise<Opened> {
  const { request: changes, answer, on, ...rest } = options
  const played = replay(transcript, { commands, ...rest })
  const events: AgentEvent[] = []
  const request: OpenRequest = {
    runId: freshRunId(),
    dispatchId: 'd1',
    role: 'harness-verifier',
    cwd: temporaryDirectory(),
    prompt: firstPrompt(transcript),
    access: 'full',
    env: childEnvironment(),
    limits: { firstMs: 20_000, idleMs: 20_000, wallMs: 60_000 },
    raw: () => {},
    ...changes,
  }
  const backend = claudeBackend({ program: played.program, now: () => recordedAt, times })
  const conversation: Conversation = await backend.open(request, (event) => {
    events.push(event)
    if (event.type === 'ask' && answer) {
      const given = answer(event)
      queueMicrotask(() => conversation.answer(event.askId, given))
    }
    on?.(event, conversation)
  })
  return { conversation, events, played, request }
}

function firstPrompt(transcript: Transcript): string {
  const line = transcript.input.map((each) => JSON.parse(each)).find((each) => each.type === 'user')
  return line?.message.content[0].text ?? 'go'
}

function answersTo(name: string): (ask: Ask) => Answer {
  switch (name) {
    case 'permission-deny':
      return () => ({ optionId: 'deny', text: 'User said no: use another folder' })
    case 'permission-deny-stop':
      return () => ({ optionId: 'stop', text: 'stop' })
    case 'permission-always':
      return () => ({ optionId: 'allow-run' })
    case 'ask-user':
      return () => ({ optionId: 'choice-2' })
    default:
      return () => ({ optionId: 'allow' })
  }
}

const sessions: Record<string, OpenRequest['session']> = {
  resume: { id: 'a0000000-0000-4000-8000-000000000001', mode: 'resume' },
  'resume-missing': { id: 'a0000000-0000-4000-8000-000000000337', mode: 'resume' },
}
const withSchema = new Set(['success-schema', 'resume', 'schema-missing'])

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

describe('the command line', () => {
  it('is the one of the reference, and nothing of the prompt is in it', async () => {
    const { conversation, played } = await open(named('success-schema'), {
      answer: answersTo('success-schema'),
      request: {
        schema,
        model: 'sonnet',
        permissions: 'edits',
        systemAppend: 'You verify.',
        limits: { turns: 40, usd: 5, firstMs: 20_000, idleMs: 20_000, wallMs: 60_000 },
      },
    })
    expect(await conversation.done).toMatchObject({ ok: true, result: { status: 'success' } })
    const argv = played.starts()[0]?.argv ?? []
    const value = (flag: string) => argv[argv.indexOf(flag) + 1] ?? ''
    const shown = [value('--session-id'), value('--append-system-prompt-file')]
    expect(argv.map((each) => (shown.includes(each) ? '*' : each)).join(' ')).toBe(
      '-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages ' +
        '--replay-user-messages --permission-prompt-tool stdio --permission-mode acceptEdits --session-id * ' +
        '--model sonnet --append-system-prompt-file * --json-schema {"type":"object"} --max-turns 40 ' +
        '--max-budget-usd 5 --setting-sources user,project --strict-mcp-config',
    )
    expect(value('--session-id')).toMatch(/^[0-9a-f-]{36}$/)
    await eventually(() => !existsSync(value('--append-system-prompt-file')))
  })

  it('sets what keeps the program short, and adds nothing else to the environment', async () => {
    const { conversation, played, request } = await open(named('permission-none'), {
      request: { env: { ...childEnvironment(), CLAUDE_CODE_MAX_RETRIES: '2' } },
    })
    await conversation.done
    const env = played.starts()[0]?.env ?? {}
    expect(env).toMatchObject({
      CLAUDE_CODE_MAX_RETRIES: '2',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      DISABLE_AUTOUPDATER: '1',
    })
    expect(env.ANTHROPIC_API_KEY).toBeUndefined()
    const known = Object.keys(request.env)
    const added = Object.keys(env).filter(
      (name) => !known.includes(name) && !/^(PWD|OLDPWD|SHLVL|_)$/.test(name),
    )
    expect(added.sort()).toEqual([
      'AUTOPILOT_ATTEMPT_ID',
      'AUTOPILOT_RUN_ID',
      'CLAUDE_CODE_DISABLE_BACKGROUND_TASKS',
      'DISABLE_AUTOUPDATER',
    ])
  })

  it.each([
    [{ access: 'full', permissions: 'ask' }, 'default', false],
    [{ access: 'full', permissions: 'all' }, 'acceptEdits', false],
    [{ access: 'read', permissions: 'edits' }, 'default', true],
  ] as const)('permission mode of %j is %s', async (request, mode, isConfined) => {
    const { conversation, played } = await open(named('permission-none'), { request })
    await conversation.done
    const argv = played.starts()[0]?.argv ?? []
    expect(argv[argv.indexOf('--permission-mode') + 1]).toBe(mode)
    expect(argv.includes('--disallowedTools')).toBe(isConfined)
  })

  it.each([
    ['resume', ['--resume', 'abc']],
    ['fork', ['--resume', 'abc', '--fork-session']],
  ] as const)('goes on in a conversation: %s', async (mode, expected) => {
    const { conversation, played } = await open(named('permission-none'), {
      request: { session: { id: 'abc', mode } },
    })
    await conversation.done
    const argv = played.starts()[0]?.argv ?? []
    expect(argv.slice(argv.indexOf('--resume'), argv.indexOf('--resume') + expected.length)).toEqual(expected)
    expect(argv).not.toContain('--session-id')
  })

  it.each(['project', 'home'])('uses the agent that the %s defines for the persona', async (place) => {
    const cwd = temporaryDirectory()
    const home = temporaryDirectory()
    const agents = join(place === 'project' ? cwd : home, '.claude', 'agents')
    mkdirSync(agents, { recursive: true })
    writeFileSync(join(agents, 'harness-verifier.md'), '---\nname: harness-verifier\n---\nVerify.\n')
    const start = async (role: string) => {
      const env = { ...childEnvironment(), HOME: home }
      const { conversation, played } = await open(named('permission-none'), { request: { cwd, env, role } })
      await conversation.done
      return played.starts()[0]?.argv ?? []
    }
    const argv = await start('harness-verifier')
    expect(argv[argv.indexOf('--agent') + 1]).toBe('harness-verifier')
    expect(await start('harness-planner')).not.toContain('--agent')
  })
})

describe('permissions', () => {
  const replyOf = (played: Replay) =>
    played.heard().find((line) => (line as { type: string }).type === 'control_response')

  it('a role without write permission is refused every edit, and nobody is asked', async () => {
    const { conversation, events, played } = await open(named('permission-allow'), {
      request: { access: 'read', permissions: 'all' },
    })
    await conversation.done
    expect(events.filter((event) => event.type === 'ask')).toEqual([])
    expect(replyOf(played)).toMatchObject({ response: { response: { behavior: 'deny', interrupt: false } } })
  })

  it('such a role may run a command when a person allows it', async () => {
    const { conversation, events, played } = await open(named('permission-always'), {
      request: { access: 'read', permissions: 'edits' },
      answer: () => ({ optionId: 'allow' }),
    })
    await conversation.done
    expect(events.filter((event) => event.type === 'ask')).toHaveLength(1)
    expect(replyOf(played)).toMatchObject({ response: { response: { behavior: 'allow' } } })
  })

  it.each([
    ['edits', 'permission-allow', 0],
    ['all', 'permission-always', 0],
    ['edits', 'permission-always', 1],
    ['all', 'ask-user', 1],
    ['all', 'plan-exit', 1],
  ] as const)('policy %s and %s: asked %i times', async (permissions, name, asked) => {
    const { conversation, events, played } = await open(named(name), {
      request: { permissions },
      answer: answersTo(name),
    })
    expect(await conversation.done).toMatchObject({ ok: true })
    expect(events.filter((event) => event.type === 'ask')).toHaveLength(asked)
    expect(replyOf(played)).toMatchObject({ response: { response: { behavior: 'allow' } } })
  })

  it('what is asked is not answered twice, nor by a name that was never offered', async () => {
    const { conversation, played } = await open(named('permission-allow'), {
      on(event, open) {
        if (event.type !== 'ask') return
        open.answer('another', { optionId: 'allow' })
        open.answer(event.askId, { optionId: 'whatever' })
        open.answer(event.askId, { optionId: 'allow' })
      },
    })
    await conversation.done
    const replies = played.heard().filter((line) => (line as { type: string }).type === 'control_response')
    expect(replies).toHaveLength(1)
    expect(replies[0]).toMatchObject({ response: { response: { behavior: 'deny' } } })
  })

  it('a silent person is no silent agent', async () => {
    const { conversation } = await open(named('permission-allow'), {
      request: { limits: { firstMs: 20_000, idleMs: 400, wallMs: 60_000 } },
      on(event, open) {
        if (event.type === 'ask') setTimeout(() => open.answer(event.askId, { optionId: 'allow' }), 1500)
      },
    })
    expect(await conversation.done).toMatchObject({ ok: true })
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

describe('detection', () => {
  const auth = (stdout: string, code: number) => ({ ...commands, 'auth status': { stdout, code } })

  it.each([
    ['ok', '{"loggedIn": true, "authMethod": "claude.ai"}\n', 0],
    ['missing', '{"loggedIn": false, "authMethod": "none"}\n', 1],
    ['unknown', 'error: unknown command\n', 1],
  ])('auth %s', async (expected, stdout, code) => {
    const played = replay(named('steer'), { commands: auth(stdout, code) })
    expect(await claudeBackend({ program: played.program }).detect()).toEqual({
      path: played.program,
      version: '2.1.332',
      auth: expected,
    })
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
      usage: { input: 1248, output: 200 },
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
