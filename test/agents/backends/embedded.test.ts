import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentEvent, Backend } from '../../../source/agents/agent.js'
import { type EmbeddedOptions, embeddedBackend } from '../../../source/agents/backends/embedded.js'
import { dispatchAgent } from '../../../source/agents/dispatch.js'
import type { DispatchContext } from '../../../source/agents/dispatch-context.js'
import { findMarked } from '../../../source/processes/process-marker.js'
import { bundleEmbedded } from '../../embedded/bundle.js'
import { type MockModel, startMockModel } from '../../mock-model/server.js'
import { type Answer, turn } from '../../mock-model/turn.js'
import { eventually, isAlive, trial, verifyTask } from '../agent-kit.js'

// The real program as a child process, driven through a dispatch as a run does it, against the mock model.

const passed = { verdict: 'pass', gaps: [] }
const report = (result: unknown = passed): Answer => call('report_result', result)
const call = (name: string, input: unknown): Answer => turn({ calls: [{ name, input }] })
const bash = (command: string): Answer => call('bash', { command })
const task = verifyTask({ access: 'full' })

let directory = ''
let program = ''
let mock: MockModel

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'autopilot-embedded-program-'))
  program = await bundleEmbedded(directory)
  mock = await startMockModel()
}, 120_000)
afterAll(async () => {
  await mock?.close()
  rmSync(directory, { recursive: true, force: true })
})

let count = 0
function backendFor(answers: Answer[], options: Partial<EmbeddedOptions> = {}): Backend {
  count += 1
  mock.script(`backend-${count}`, answers)
  return embeddedBackend({
    policy: 'all',
    baseURL: mock.url(`backend-${count}`),
    program,
    environment: { ANTHROPIC_API_KEY: 'sk-test-0123456789abcdef' },
    times: { backoffMs: 1, shortLimitMs: 5000 },
    ladder: { interruptMs: 20_000, termMs: 2000, markedMs: 1000, killRounds: 100, pollMs: 20 },
    ...options,
  })
}

async function play(
  answers: Answer[],
  options: Partial<EmbeddedOptions> = {},
  changes: Partial<DispatchContext> = {},
) {
  const stage = trial(backendFor(answers, options), changes)
  const reply = await dispatchAgent(task, stage.context)
  return { ...stage, reply, left: await findMarked(stage.context.runId) }
}

describe('a dispatch', () => {
  it('works, reports and is billed; nothing of it is left', async () => {
    const { reply, left, context, events, log } = await play([
      call('write', { file_path: 'a.txt', content: 'hello' }),
      bash('cat a.txt; env'),
      report(),
    ])
    expect(reply).toMatchObject({ ok: true, result: passed })
    const bill = mock.billed(`backend-${count}`)
    expect(reply.usage).toMatchObject({ outputTokens: bill.outputTokens })
    expect(reply.usage.usd).toBeGreaterThan(0)
    expect(readFileSync(join(context.projectDir, 'a.txt'), 'utf8')).toBe('hello')
    expect(left).toEqual([])
    const shown = JSON.stringify(events)
    expect(shown).toContain('AUTOPILOT_RUN_ID')
    expect(shown).not.toContain('ANTHROPIC')
    expect(log()).not.toContain('sk-test-0123456789abcdef')
    expect(events.some((event) => event.type === 'log' && event.stream === 'stderr')).toBe(false)
  })

  it('goes on in its own conversation after the program was killed', async () => {
    const backend = backendFor([bash('touch begun; sleep 600'), report()])
    const first = trial(backend)
    const running = dispatchAgent(task, first.context)
    const begun = join(first.context.projectDir, 'begun')
    await eventually(() => existsSync(begun))
    const pids = await findMarked(first.context.runId)
    const programs = pids.filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('embedded.mjs'),
    )
    expect(programs).toHaveLength(1)
    for (const pid of programs) process.kill(pid, 'SIGKILL')
    expect(await running).toMatchObject({ ok: false, error: 'crash' })
    expect(pids.filter(isAlive)).toEqual([])

    const sessionId = first.sessions[0] ?? ''
    const second = trial(backend, { projectDir: first.context.projectDir, resume: { sessionId } })
    expect(await dispatchAgent(task, second.context)).toMatchObject({ ok: true, result: passed, sessionId })
    const last = mock.requests.at(-1)?.request
    expect(last?.toolResults[0]?.text).toContain('not known whether')
    expect(last?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user'])
  })

  it('begins anew with the whole task where its conversation is gone', async () => {
    const { reply } = await play([report()], {}, { resume: { sessionId: 'gone' } })
    expect(reply).toMatchObject({ ok: true })
    expect(mock.requests.at(-1)?.request?.lastUserText).toContain('Check it.')
  })

  it('keeps long output in the session and lets the agent read it', async () => {
    const { reply, context } = await play([
      bash('head -c 300000 /dev/zero | tr "\\0" x | fold -w 99'),
      report(),
    ])
    expect(reply).toMatchObject({ ok: true })
    const outputs = join(context.projectDir, context.sessionDir, 'outputs')
    expect(readdirSync(join(outputs, readdirSync(outputs)[0] ?? ''))).toEqual(['1-bash.txt'])
    expect(mock.requests.at(-1)?.request?.toolResults[0]?.text).toContain(`${context.sessionDir}/outputs/`)
  })

  it('asks, and the answer decides; a yes for the run holds for the next dispatch of the same persona', async () => {
    const backend = backendFor([bash('echo x >> a'), report(), bash('echo x >> a'), report()], {
      policy: 'ask',
    })
    const asked: Extract<AgentEvent, { type: 'ask' }>[] = []
    const ask: DispatchContext['ask'] = async (event) => {
      asked.push(event)
      return { optionId: event.options.find((option) => option.kind === 'allow-always')?.id ?? '' }
    }
    const first = trial(backend, { ask })
    const { projectDir } = first.context
    expect(await dispatchAgent(task, first.context)).toMatchObject({ ok: true, denials: [] })
    expect(await dispatchAgent(task, trial(backend, { ask, projectDir }).context)).toMatchObject({ ok: true })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ title: 'Run a command', detail: 'echo x >> a', defaultNo: true })
    expect(readFileSync(join(projectDir, 'a'), 'utf8')).toBe('x\nx\n')
  })

  it('is denied where nobody can answer, and says so', async () => {
    const { reply, context } = await play([bash('echo x > a'), report()], { policy: 'ask' })
    expect(reply).toMatchObject({ ok: true, denials: ['echo x > a'] })
    expect(existsSync(join(context.projectDir, 'a'))).toBe(false)
  })

  it('hears what the person sends', async () => {
    let send: (text: string) => string = () => ''
    const stage = trial(backendFor([bash('touch begun; while [ ! -e go ]; do sleep 0.05; done'), report()]), {
      say: (given) => {
        send = given
      },
    })
    const reply = dispatchAgent(task, stage.context)
    await eventually(() => existsSync(join(stage.context.projectDir, 'begun')))
    expect(send('Use tabs.')).toBe('sent')
    writeFileSync(join(stage.context.projectDir, 'go'), '')
    expect(await reply).toMatchObject({ ok: true })
    expect(mock.requests.at(-1)?.request?.lastUserText).toContain('Use tabs.')
    expect(send('Too late.')).toBe('unsupported')
  })
})

describe('the end of a dispatch', () => {
  const toolRuns = (project: string) => existsSync(join(project, 'begun'))
  const isAsked = () => mock.requests.at(-1)?.scenario === `backend-${count}`

  it.each([
    [
      'a tool that ignores everything',
      bash('trap "" TERM INT; (setsid sleep 600 &) ; touch begun; sleep 600; :'),
      toolRuns,
    ],
    ['a server that never answers', { kind: 'hang' } as Answer, isAsked],
    ['an answer under way', turn({ text: 'word '.repeat(2000), paceMs: 100 }), isAsked],
  ])('is reached when the run stops in the middle of %s, and nobody is left', async (_, answer, isThere) => {
    const stage = trial(backendFor([answer]))
    const reply = dispatchAgent(task, stage.context)
    await eventually(() => isThere(stage.context.projectDir))
    stage.controller.abort()
    expect(await reply).toMatchObject({ ok: false, error: 'aborted' })
    expect(await findMarked(stage.context.runId)).toEqual([])
  })

  it.each([
    ['401', { kind: 'error', status: 401, reason: 'auth' }, 'auth', 'never'],
    ['529', { kind: 'error', status: 529, reason: 'overloaded' }, 'overloaded', 'later'],
  ] as [string, Answer, string, string][])('is told as it is: %s', async (_, answer, error, retry) => {
    const { reply, left } = await play([answer])
    expect(reply).toMatchObject({ ok: false, error, retry })
    expect(left).toEqual([])
  })

  it('at a usage limit names the time', async () => {
    const resetsAt = Math.round(Date.now() / 1000) * 1000 + 10_800_000
    const { reply, events } = await play([{ kind: 'error', status: 429, reason: 'usage-limit', resetsAt }])
    expect(reply).toMatchObject({ ok: false, error: 'limit', retry: 'later' })
    expect(Math.abs((reply.ok ? 0 : (reply.resetsAt ?? 0)) - resetsAt)).toBeLessThan(60_000)
    expect(events.some((event) => event.type === 'limit' && event.status === 'rejected')).toBe(true)
  })

  it('mends a result in a further turn of the same conversation', async () => {
    // Three that do not fit end the first turn; the dispatch then asks once more.
    const backend = backendFor([
      report({ verdict: 'maybe' }),
      report({ verdict: 'maybe' }),
      report({}),
      report(),
    ])
    const stage = trial(backend)
    const reply = await dispatchAgent(task, stage.context)
    expect(reply).toMatchObject({ ok: true, result: passed })
    const folder = join(stage.context.projectDir, stage.context.sessionDir, 'conversations')
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('is a clear failure where the program is missing or is another one', async () => {
    const missing = await play([report()], { program: join(directory, 'missing.mjs') })
    expect(missing.reply).toMatchObject({ ok: false, error: 'crash' })
    const other = join(directory, 'other.mjs')
    writeFileSync(other, 'console.log("hello")')
    expect((await play([report()], { program: other })).reply).toMatchObject({ ok: false, error: 'crash' })
  })
})

describe('detect', () => {
  const detect = (environment: Record<string, string>, baseURL?: string) =>
    embeddedBackend({ policy: 'ask', program: '/opt/embedded.js', environment, baseURL }).detect()

  it('needs a key or a base URL', async () => {
    expect(await detect({})).toMatchObject({ auth: 'missing', path: '/opt/embedded.js' })
    expect(await detect({ ANTHROPIC_API_KEY: '' })).toMatchObject({ auth: 'missing' })
    expect(await detect({ ANTHROPIC_API_KEY: 'k' })).toMatchObject({ auth: 'ok' })
    expect(await detect({ ANTHROPIC_AUTH_TOKEN: 'k' })).toMatchObject({ auth: 'ok' })
    expect(await detect({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' })).toMatchObject({ auth: 'ok' })
    expect(await detect({}, 'http://127.0.0.1:1')).toMatchObject({ auth: 'ok' })
  })

  it('says what would be run, and takes /v1 off the address', () => {
    const label = (baseURL: string) =>
      embeddedBackend({ policy: 'ask', model: 'm', environment: {}, baseURL }).label
    expect(label('http://127.0.0.1:1/v1/')).toBe('embedded: m at http://127.0.0.1:1')
    expect(label('')).toBe('embedded: m')
  })
})
