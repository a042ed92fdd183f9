import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentEvent, Conversation, OpenRequest } from '../../../source/agents/agent.js'
import { codexBackend } from '../../../source/agents/backends/codex.js'
import { dispatchAgent } from '../../../source/agents/dispatch.js'
import { childEnvironment } from '../../../source/processes/environment.js'
import { findMarked } from '../../../source/processes/process-marker.js'
import { temporaryDirectory, trial, verifyTask } from '../agent-kit.js'
import { namedIn, personIn, recordedAt, requestOf, runs, sentIn, servers, wantedSchema } from './codex-kit.js'
import { expectGolden, type Replay, type ReplayOptions, replay, type Transcript } from './transcripts.js'

const help = { '--help': { stdout: '' } }
const withServer = {
  '--version': { stdout: 'codex-cli 0.171.0\n' },
  'app-server --help': { stdout: 'Run the app server\n\nUsage: codex app-server [OPTIONS] [COMMAND]\n' },
}
/** A codex without the command takes it for a prompt, and prints its common help. */
const withoutServer = {
  '--version': { stdout: 'codex-cli 0.20.0\n' },
  'app-server --help': { stdout: 'Codex CLI\n\nUsage: codex [OPTIONS] [PROMPT]\n' },
}
const times = { interruptMs: 3000, termMs: 5000, markedMs: 2000, killRounds: 100, pollMs: 10 }

interface Opened {
  conversation: Conversation
  events: AgentEvent[]
  played: Replay
  request: OpenRequest
}

interface OpenOptions extends ReplayOptions {
  request?: Partial<OpenRequest>
  on?: (event: AgentEvent, conversation: Conversation) => void
}

async function open(transcript: Transcript, options: OpenOptions = {}): Promise<Opened> {
  const { request: changes, on, ...rest } = options
  const cwd = temporaryDirectory()
  // The folder of a test is the project of the recording.
  const here = (line: string) => line.replaceAll('/project', cwd)
  const own = { ...transcript, lines: transcript.lines.map(here) }
  const played = replay(own, { commands: { ...withServer, ...help }, ...rest })
  const events: AgentEvent[] = []
  const request = requestOf(transcript, { cwd, env: childEnvironment(), ...changes })
  const backend = codexBackend({ argv: [played.program], now: () => recordedAt, times })
  const early: AgentEvent[] = []
  let opened: Conversation | undefined
  const conversation = await backend.open(request, (event) => {
    events.push(event)
    if (opened) on?.(event, opened)
    else early.push(event)
  })
  opened = conversation
  for (const event of early) on?.(event, conversation)
  return { conversation, events, played, request }
}

/** Golden files know no machine. */
const inProject = (events: AgentEvent[], cwd: string): AgentEvent[] =>
  JSON.parse(JSON.stringify(events).replaceAll(cwd, '/project'))

describe('codex app-server, every recording through a process', () => {
  const oneTurn = servers.filter((each) => each.name !== 'schema-two-turns')

  it.each(oneTurn)('$name: the same events, and the recorded answers', async (transcript) => {
    const { conversation, events, played, request } = await open(transcript, { on: personIn(transcript) })
    await conversation.done
    expect(conversation.sessionId).toMatch(/^a0000000-/)
    await conversation.close()
    await expectGolden('codex-app-server', transcript.name, inProject(events, request.cwd))
    expect(await findMarked(request.runId)).toEqual([])

    // The order of requests and the decisions are those of the recording; only our version and folder differ.
    const own = (line: unknown) =>
      JSON.parse(JSON.stringify(line).replaceAll(request.cwd, '/project'), (key, value) =>
        key === 'version' ? '0.0.1' : key === 'excludeTurns' ? undefined : value,
      )
    const recorded = transcript.input.map((line) => JSON.parse(line))
    const wasReadOnly = recorded.some((line) => line.params?.sandbox === 'read-only')
    const heard = played.heard().map(own)
    if (wasReadOnly) for (const line of heard) if (line.params?.sandbox) line.params.sandbox = 'read-only'
    expect(heard).toEqual(recorded)
  })

  it('schema-two-turns: a schema for each turn, and only what is new is billed', async () => {
    const transcript = namedIn(servers, 'schema-two-turns')
    const { conversation, events, played, request } = await open(transcript, {
      request: { schema: wantedSchema },
    })
    const first = await conversation.done
    expect(first).toMatchObject({ ok: true, result: { status: 'success', summary: 'wrote it' } })
    expect(first.usage).toEqual({ input: 2000, output: 120, cached: 8000 })
    expect(conversation.send('and again')).toBe('sent')
    const second = await conversation.done
    expect(second).toMatchObject({ ok: true, result: { status: 'success', files: ['hello.txt'] } })
    expect(second.usage).toEqual({ input: 4000, output: 240, cached: 16000 })
    await conversation.close()
    expect(conversation.send('too late')).toBe('unsupported')

    await expectGolden('codex-app-server', 'schema-two-turns', inProject(events, request.cwd))
    const turns = played.heard().filter((line) => JSON.stringify(line).includes('"turn/start"'))
    expect(turns).toMatchObject([
      { params: { outputSchema: wantedSchema, input: [{ text: 'Write FILE=/project/hello.txt' }] } },
      { params: { outputSchema: wantedSchema, input: [{ text: 'and again' }] } },
    ])
  })
})

describe('codex exec, every recording through a process', () => {
  const stderr: Record<string, string> = {
    'rejected-read-only':
      '2026-11-27T20:55:00.000000Z ERROR codex_core::tools::router: error=patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings\n',
    'rejected-silently':
      '2026-11-27T20:55:00.000000Z ERROR codex_core::tools::router: error=command was not allowed by policy\n',
  }

  it.each(runs)('$name: the same events', async (transcript) => {
    const { conversation, events, played, request } = await open(transcript, {
      commands: withoutServer,
      endAtEof: true,
      stderr: stderr[transcript.name],
      request: { permissions: 'all', access: 'full', prompt: 'do it' },
    })
    await conversation.done
    // Prose tells local time: what it means depends on where the test runs, and has tests of its own.
    const golden = inProject(events, request.cwd).filter((event) => event.type !== 'limit')
    await expectGolden('codex-exec', transcript.name, stderrLast(golden.map(withoutReset)))
    expect(await findMarked(request.runId)).toEqual([])
    expect(played.starts().map((start) => start.argv)).toEqual([
      [
        'exec',
        '--json',
        '--skip-git-repo-check',
        '-C',
        request.cwd,
        '--dangerously-bypass-approvals-and-sandbox',
        '-',
      ],
    ])
  })

  /** Two pipes have no common order. */
  function stderrLast(all: AgentEvent[]): AgentEvent[] {
    const isStderr = (event: AgentEvent) =>
      (event.type === 'log' && event.stream === 'stderr') ||
      (event.type === 'tool' && event.id.startsWith('refused-'))
    return [...all.filter((event) => !isStderr(event)), ...all.filter(isStderr)]
  }

  function withoutReset(event: AgentEvent): AgentEvent {
    if (event.type !== 'end' || event.outcome.ok) return event
    const { resetsAt: _, ...outcome } = event.outcome
    return { ...event, outcome }
  }

  it('resumes by id, with its sandbox as a setting, and bills only what is new', async () => {
    const transcript = namedIn(runs, 'resume')
    const first = namedIn(runs, 'success-command')
    const same = { ...first, lines: first.lines.map((line) => line.replace('…0339', '…0342')) }
    same.lines[0] = transcript.lines[0] ?? ''
    const played = replay(same, { commands: withoutServer, next: transcript })
    const backend = codexBackend({ argv: [played.program], times })
    const base = requestOf(transcript, {
      cwd: temporaryDirectory(),
      env: childEnvironment(),
      access: 'read',
      prompt: 'look',
    })
    const one = await backend.open(base, () => {})
    expect((await one.done).usage).toEqual({ input: 2000, output: 120, cached: 8000 })
    const id = one.sessionId ?? ''
    const two = await backend.open({ ...base, dispatchId: 'd2', session: { id, mode: 'resume' } }, () => {})
    expect((await two.done).usage).toEqual({ input: 1000, output: 60, cached: 4000 })
    const settings = ['-c', 'sandbox_mode="read-only"']
    expect(played.starts()[0]?.argv).toEqual(expect.arrayContaining(['-s', 'read-only']))
    expect(played.starts()[1]?.argv).toEqual([
      'exec',
      'resume',
      '--json',
      '--skip-git-repo-check',
      ...settings,
      id,
      '-',
    ])
  })

  it('is not used where somebody would have to be asked', async () => {
    const { conversation, events, played } = await open(namedIn(runs, 'success-command'), {
      commands: withoutServer,
      request: { access: 'edit', permissions: 'ask' },
    })
    expect(await conversation.done).toMatchObject({ ok: false, error: 'spawn', retry: 'never' })
    expect(events.map((event) => event.type)).toEqual(['end'])
    expect(conversation.send('hello')).toBe('unsupported')
    expect(played.starts()).toEqual([])
  })
})

describe('detection', () => {
  it.each([
    [0, 'ok'],
    [1, 'missing'],
    [2, 'unknown'],
  ])('login status %i is %s', async (code, auth) => {
    const commands = { ...withServer, 'login status': { code } }
    const { program } = replay(namedIn(servers, 'steer'), { commands })
    const detected = await codexBackend({ argv: [program] }).detect()
    expect(detected).toEqual({ path: program, version: '0.171.0', auth })
  })

  it('finds nothing where there is nothing', async () => {
    expect(await codexBackend({ argv: ['/nowhere/codex'] }).detect()).toBeUndefined()
  })

  it('a missing program is a spawn failure', async () => {
    const { context } = trial(codexBackend({ argv: ['/nowhere/codex'] }))
    const reply = await dispatchAgent(verifyTask(), context)
    expect(reply).toMatchObject({ ok: false, error: 'spawn', retry: 'never' })
  })
})

describe('a codex that does not answer', () => {
  function silent(script: string): string {
    const program = join(temporaryDirectory(), 'codex')
    writeFileSync(
      program,
      `#!/bin/sh\ncase "$*" in *--help*) echo "Usage: codex app-server";; *) ${script};; esac\n`,
    )
    chmodSync(program, 0o755)
    return program
  }

  const request = (limits: Partial<OpenRequest['limits']>) =>
    requestOf(namedIn(servers, 'steer'), {
      cwd: temporaryDirectory(),
      env: childEnvironment(),
      limits: { firstMs: 20_000, idleMs: 20_000, wallMs: 60_000, ...limits },
    })

  it.each([
    ['says nothing', 'cat >/dev/null; sleep 60'],
    ['chatters, but answers nothing', 'while :; do echo "{\\"method\\":\\"warning\\"}"; sleep 0.05; done'],
  ])('and %s is stopped by the clock of the handshake', async (_, script) => {
    const fast = { interruptMs: 50, termMs: 500, markedMs: 500, killRounds: 100, pollMs: 10 }
    const backend = codexBackend({ argv: [silent(script)], times: fast })
    const own = request({ firstMs: 400 })
    const conversation = await backend.open(own, () => {})
    expect(await conversation.done).toMatchObject({ ok: false, error: 'timeout' })
    expect(await findMarked(own.runId)).toEqual([])
  })

  it('obeys an abort during the handshake', async () => {
    const own = request({})
    const conversation = await codexBackend({ argv: [silent('cat >/dev/null')], times }).open(own, () => {})
    expect(conversation.send('wait for it')).toBe('queued')
    await conversation.interrupt()
    expect(await conversation.done).toMatchObject({ ok: false, error: 'aborted' })
    expect(await findMarked(own.runId)).toEqual([])
  })
})

describe('within a dispatch', () => {
  it('a claim of success after a refused tool names the refusal', async () => {
    const transcript = namedIn(servers, 'permission-decline')
    const claim = '{"verdict":"pass","gaps":[]}'
    const lines = transcript.lines.map((line) =>
      JSON.stringify(JSON.parse(line), (key, value) =>
        key === 'text' && String(value).startsWith('Done.') ? claim : value,
      ),
    )
    const { program } = replay({ ...transcript, lines }, { commands: withServer })
    const { context, sessions } = trial(codexBackend({ argv: [program], times }), {
      ask: async () => ({ optionId: 'decline' }),
    })
    const reply = await dispatchAgent(verifyTask({ access: 'edit' }), context)
    expect(reply).toMatchObject({ ok: true, result: { verdict: 'pass', gaps: [] } })
    expect(reply.ok && reply.denials).toEqual(["printf 'hello\\n' > /project/hello.txt"])
    expect(sessions).toEqual(['a0000000-0000-4000-8000-000000000355'])
  })

  it('an unknown conversation is wrong input, told in the words of codex', async () => {
    const transcript = namedIn(servers, 'steer')
    const refusal = { id: 2, error: { code: -32600, message: 'no rollout found for thread id x' } }
    const input = transcript.input.map((line) => line.replace('thread/start', 'thread/resume'))
    const lines = [...transcript.lines.slice(0, 3), JSON.stringify(refusal)]
    const { conversation, played } = await open(
      { ...transcript, input, lines },
      { request: { session: { id: 'x', mode: 'resume' }, access: 'full', permissions: 'all' } },
    )
    expect(await conversation.done).toMatchObject({
      ok: false,
      error: 'input',
      retry: 'never',
      message: 'Codex refused to go on with conversation x: no rollout found for thread id x',
    })
    await conversation.close()
    expect(
      sentIn({ ...transcript, input: played.heard().map((each) => JSON.stringify(each)) }, 'turn/start'),
    ).toEqual([])
  })
})
