import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RecordedRequest } from '../mock-model/server.js'
import {
  answers,
  call,
  calls,
  passed,
  report,
  startTurn,
  storedMessages,
  temporaryDirectory,
  testKey,
  textOf,
  turn,
  withMock,
} from './serving.js'

const stage = withMock()

/** Requests of one test: every test has a scenario of its own. */
let scenarios = 0
function play(...list: Parameters<typeof answers>) {
  scenarios += 1
  const name = `loop-${scenarios}`
  const script = answers(...list)
  stage.mock().script(name, script)
  const requests = () => stage.mock().requests.filter((each) => each.scenario === name)
  return { baseURL: stage.mock().url(name), requests, name }
}

interface Body {
  system: { cache_control?: unknown }[]
  tools: { name: string; cache_control?: unknown; input_schema: unknown }[]
  messages: { role: string; content: { type: string; cache_control?: unknown }[] }[]
}
const bodyOf = (request: RecordedRequest | undefined) => request?.body as Body

describe('a turn that goes well', () => {
  it('streams text and thinking, runs a tool, reports, and bills what the server billed', async () => {
    const { baseURL, name } = play(
      turn({
        thinking: 'Let me see.',
        text: 'I will write it now.',
        calls: [{ name: 'write', input: { file_path: 'a/b.txt', content: 'hello\n' } }],
      }),
      report(),
    )
    const { outcome, events, project } = startTurn({ baseURL })
    expect(await outcome).toMatchObject({ ok: true, result: passed, text: 'I will write it now.' })
    expect(readFileSync(join(project, 'a/b.txt'), 'utf8')).toBe('hello\n')
    expect(textOf(events)).toBe('I will write it now.')
    expect(textOf(events, 'thinking')).toBe('Let me see.')
    expect(events.filter((event) => event.type === 'text').length).toBeGreaterThan(0)
    expect(events[0]).toMatchObject({
      type: 'session',
      id: 's1',
      model: 'claude-sonnet-5-5',
      auth: 'API key',
    })
    const tools = events.flatMap((event) => (event.type === 'tool' ? [`${event.name} ${event.status}`] : []))
    expect(tools).toEqual(['write running', 'write ok', 'report_result ok'])

    const bill = stage.mock().billed(name)
    const used = (await outcome).usage
    expect(used.input).toBe(bill.inputTokens + bill.cacheWriteTokens)
    expect(used.cached).toBe(bill.cacheReadTokens)
    expect(used.output).toBe(bill.outputTokens)
    const usd =
      (bill.inputTokens * 2 +
        bill.cacheWriteTokens * 2.5 +
        bill.cacheReadTokens * 0.1 +
        bill.outputTokens * 10) /
      1e6
    expect(used.usd).toBeCloseTo(usd, 10)
  })

  it('gives new files the rights that anybody would give them, and keeps those of old ones', async () => {
    const modes = 'umask; stat -c %a new.txt old.sh'
    const { baseURL } = play(
      calls(
        { name: 'write', input: { file_path: 'new.txt', content: 'x' } },
        { name: 'write', input: { file_path: 'old.sh', content: 'echo new' } },
        { name: 'edit', input: { file_path: 'old.sh', old_string: 'new', new_string: 'newest' } },
        { name: 'bash', input: { command: modes } },
      ),
      report(),
    )
    const project = temporaryDirectory()
    writeFileSync(join(project, 'old.sh'), 'echo old', { mode: 0o750 })
    const { outcome, events } = startTurn({ baseURL, project })
    await outcome
    const shown = events.flatMap((event) =>
      event.type === 'tool' && event.name === 'bash' ? [event.output] : [],
    )
    const [mask = '', fresh, old] = (shown.at(-1) ?? '').split('\n')
    expect(fresh).toBe((0o666 & ~Number.parseInt(mask, 8)).toString(8))
    expect(old).toBe('750')
    expect(readFileSync(join(project, 'old.sh'), 'utf8')).toBe('echo newest')
  })

  it('marks system text, tools and the newest block for the cache, and only those', async () => {
    const { baseURL, requests } = play(call('glob', { pattern: '*' }), report())
    await startTurn({ baseURL }).outcome
    const body = bodyOf(requests()[1])
    expect(body.system.map((block) => block.cache_control !== undefined)).toEqual([true])
    expect(body.tools.filter((tool) => tool.cache_control !== undefined).map((tool) => tool.name)).toEqual([
      'report_result',
    ])
    const marks = body.messages.flatMap((message) =>
      message.content.map((block) => block.cache_control !== undefined),
    )
    expect(marks.filter(Boolean)).toHaveLength(1)
    expect(marks.at(-1)).toBe(true)
  })

  it('offers no tool that changes anything to a reader, and no command to an editor', async () => {
    const read = play(report())
    await startTurn({ baseURL: read.baseURL, request: { access: 'read' } }).outcome
    expect(bodyOf(read.requests()[0]).tools.map((tool) => tool.name)).toEqual([
      'read',
      'grep',
      'glob',
      'report_result',
    ])
    const edit = play(report())
    await startTurn({ baseURL: edit.baseURL, request: { access: 'edit' } }).outcome
    expect(bodyOf(edit.requests()[0]).tools.map((tool) => tool.name)).not.toContain('bash')
    expect(bodyOf(edit.requests()[0]).tools.map((tool) => tool.name)).toContain('edit')
  })

  it('refuses a tool that was not offered, and goes on', async () => {
    const { baseURL } = play(call('write', { file_path: 'a', content: 'b' }), report())
    const { outcome, project } = startTurn({ baseURL, request: { access: 'read' } })
    expect(await outcome).toMatchObject({ ok: true })
    expect(existsSync(join(project, 'a'))).toBe(false)
  })

  it('works without a key where a base URL is set', async () => {
    const { baseURL, requests } = play(report())
    const { PATH } = process.env
    expect(await startTurn({ baseURL, env: { PATH } }).outcome).toMatchObject({ ok: true })
    expect(requests()[0]?.headers.authorization).toMatch(/^Bearer \S+/)
    expect(requests()[0]?.path).toBe('/v1/messages')
  })

  it('needs no report where no schema is given', async () => {
    const { baseURL } = play(turn({ text: 'All is well.' }))
    const outcome = await startTurn({ baseURL, request: { schema: undefined } }).outcome
    expect(outcome).toMatchObject({ ok: true, text: 'All is well.' })
  })

  it('keeps the key from commands and from the disk', async () => {
    const { baseURL } = play(call('bash', { command: `env; echo ${testKey}` }), report())
    const { outcome, events, request } = startTurn({ baseURL })
    await outcome
    const shown = events.flatMap((event) => (event.type === 'tool' ? [event.output ?? ''] : [])).join('\n')
    expect(shown).not.toContain('ANTHROPIC_')
    expect(shown).toContain('[redacted]')
    expect(shown).not.toContain(testKey)
    expect(readFileSync(request.conversationFile, 'utf8')).not.toContain(testKey)
  })
})

describe('a result that does not come as agreed', () => {
  it('is mended when the model is told what is wrong', async () => {
    const { baseURL, requests } = play(report({ verdict: 'perhaps' }), report({}), report())
    const { outcome, events } = startTurn({ baseURL })
    expect(await outcome).toMatchObject({ ok: true, result: passed })
    expect(JSON.stringify(bodyOf(requests()[1]).messages.at(-1))).toContain('verdict')
    const states = events.flatMap((event) => (event.type === 'tool' ? [event.status] : []))
    expect(states).toEqual(['failed', 'failed', 'ok'])
  })

  it('fails after two repairs', async () => {
    const { baseURL, requests } = play(report({ verdict: 'perhaps' }))
    expect(await startTurn({ baseURL }).outcome).toMatchObject({ ok: false, error: 'schema', retry: 'now' })
    expect(requests()).toHaveLength(3)
  })

  it('is reminded of once', async () => {
    const { baseURL } = play(turn({ text: 'Done.' }), report())
    expect(await startTurn({ baseURL }).outcome).toMatchObject({ ok: true, result: passed })
    const never = play(turn({ text: 'Done.' }))
    expect(await startTurn({ baseURL: never.baseURL }).outcome).toMatchObject({ ok: false, error: 'schema' })
    expect(never.requests()).toHaveLength(2)
  })

  it('is taken from a fenced block of the last message', async () => {
    const { baseURL, requests } = play(turn({ text: 'Here:\n```json\n{"verdict":"fail"}\n```\n' }))
    expect(await startTurn({ baseURL }).outcome).toMatchObject({ ok: true, result: { verdict: 'fail' } })
    expect(requests()).toHaveLength(1)
  })

  it.each([{ type: 'string' }, 7, { type: 'object', properties: { a: { $ref: '#/nowhere' } } }])(
    'is not asked for with a schema that is none: %j',
    async (schema) => {
      const { baseURL, requests } = play(report())
      expect(await startTurn({ baseURL, request: { schema } }).outcome).toMatchObject({
        ok: false,
        error: 'input',
      })
      expect(requests()).toHaveLength(0)
    },
  )
})

describe('permissions', () => {
  const write = () => call('write', { file_path: 'a.txt', content: 'one\ntwo\n' })
  const told = (request: RecordedRequest | undefined) => JSON.stringify(bodyOf(request).messages.at(-1))

  it('asks with the diff, and writes only after a yes', async () => {
    const { baseURL } = play(write(), report())
    const { outcome, seen, say, project } = startTurn({ baseURL, request: { policy: 'ask' } })
    const ask = await seen('ask')
    expect(ask).toMatchObject({ kind: 'permission', detail: 'a.txt', defaultNo: true })
    expect(ask.diff).toContain('+one\n+two')
    expect(ask.options.map((option) => option.kind)).toEqual(['allow-once', 'allow-always', 'deny'])
    expect(existsSync(join(project, 'a.txt'))).toBe(false)
    say({ t: 'answer', askId: ask.askId, optionId: 'once' })
    expect(await outcome).toMatchObject({ ok: true })
    expect(existsSync(join(project, 'a.txt'))).toBe(true)
  })

  it.each(['deny', 'nonsense', ''])('writes nothing after %j, and tells the model why', async (optionId) => {
    const { baseURL, requests } = play(write(), report())
    const { outcome, seen, say, project, events } = startTurn({ baseURL, request: { policy: 'ask' } })
    const { askId } = await seen('ask')
    say({ t: 'answer', askId, optionId, text: 'wrong place' })
    expect(await outcome).toMatchObject({ ok: true })
    expect(existsSync(join(project, 'a.txt'))).toBe(false)
    expect(told(requests()[1])).toContain('wrong place')
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool', name: 'write', status: 'denied' }))
  })

  it('is not moved by an answer to another question', async () => {
    const { baseURL } = play(write(), report())
    const { outcome, seen, say, project } = startTurn({ baseURL, request: { policy: 'ask' } })
    const { askId } = await seen('ask')
    say({ t: 'answer', askId: 'another', optionId: 'once' })
    say({ t: 'answer', askId, optionId: 'deny' })
    await outcome
    expect(existsSync(join(project, 'a.txt'))).toBe(false)
  })

  it('remembers a yes for the whole run: edits as a whole, a command to the letter', async () => {
    const { baseURL } = play(
      calls(
        { name: 'write', input: { file_path: 'a', content: '1' } },
        { name: 'write', input: { file_path: 'b', content: '2' } },
        { name: 'bash', input: { command: 'echo x >> c' } },
        { name: 'bash', input: { command: 'echo x >> c' } },
        { name: 'bash', input: { command: 'echo x >> c; echo y >> c' } },
      ),
      report(),
    )
    const { outcome, seen, say, project, events } = startTurn({ baseURL, request: { policy: 'ask' } })
    const always = (ask: { askId: string; options: { id: string; kind: string }[] }) =>
      say({
        t: 'answer',
        askId: ask.askId,
        optionId: ask.options.find((each) => each.kind === 'allow-always')?.id,
      })
    always(await seen('ask', (ask) => ask.detail === 'a'))
    always(await seen('ask', (ask) => ask.detail === 'echo x >> c'))
    const third = await seen('ask', (ask) => ask.detail.includes('echo y'))
    say({ t: 'answer', askId: third.askId, optionId: 'deny' })
    await outcome
    expect(events.filter((event) => event.type === 'ask')).toHaveLength(3)
    expect(readFileSync(join(project, 'c'), 'utf8')).toBe('x\nx\n')
    expect(readFileSync(join(project, 'b'), 'utf8')).toBe('2')
  })

  it('asks nothing about edits under `edits`, but about commands', async () => {
    const { baseURL } = play(
      calls(
        { name: 'write', input: { file_path: 'a', content: '1' } },
        { name: 'bash', input: { command: 'rm a' } },
      ),
      report(),
    )
    const { outcome, seen, say, project, events } = startTurn({ baseURL, request: { policy: 'edits' } })
    const ask = await seen('ask')
    expect(ask.detail).toBe('rm a')
    say({ t: 'answer', askId: ask.askId, optionId: 'deny' })
    await outcome
    expect(events.filter((event) => event.type === 'ask')).toHaveLength(1)
    expect(existsSync(join(project, 'a'))).toBe(true)
  })

  it('does not ask about what is refused anyway', async () => {
    const { baseURL } = play(call('write', { file_path: '../a', content: '' }), report())
    const { outcome, events } = startTurn({ baseURL, request: { policy: 'ask' } })
    await outcome
    expect(events.some((event) => event.type === 'ask')).toBe(false)
  })
})

describe('a person who takes part', () => {
  it('is heard after the running tool', async () => {
    const { baseURL, requests } = play(
      call('bash', { command: 'while [ ! -e go ]; do sleep 0.05; done' }),
      report(),
    )
    const { outcome, seen, say, project, events } = startTurn({ baseURL })
    await seen('tool', (event) => event.status === 'running')
    say({ t: 'send', text: 'Use tabs.' })
    writeFileSync(join(project, 'go'), '')
    expect(await outcome).toMatchObject({ ok: true })
    const blocks = bodyOf(requests()[1]).messages.at(-1)?.content ?? []
    expect(blocks.map((block) => block.type)).toEqual(['tool_result', 'text'])
    expect(JSON.stringify(blocks)).toContain('Use tabs.')
    expect(events).toContainEqual(expect.objectContaining({ line: 'your message was handed to the model' }))
  })

  it('is heard before a result is taken', async () => {
    const { baseURL, requests } = play(
      calls(
        { name: 'bash', input: { command: 'while [ ! -e go ]; do sleep 0.05; done' } },
        { name: 'report_result', input: passed },
      ),
      report({ verdict: 'fail' }),
    )
    const { outcome, seen, say, project } = startTurn({ baseURL })
    await seen('tool', (event) => event.status === 'running')
    say({ t: 'send', text: 'Look again.' })
    writeFileSync(join(project, 'go'), '')
    expect(await outcome).toMatchObject({ ok: true, result: { verdict: 'fail' } })
    expect(JSON.stringify(bodyOf(requests()[1]).messages.at(-1))).toContain('Look again.')
  })

  it('interrupts an answer that is under way', async () => {
    const slow = turn({ text: 'This takes long. '.repeat(100), paceMs: 50 })
    const { baseURL } = play(slow)
    const { outcome, seen, say, code, request } = startTurn({ baseURL })
    await seen('text')
    say({ t: 'interrupt' })
    expect(await outcome).toMatchObject({ ok: false, error: 'aborted', retry: 'now' })
    expect(await code).toBe(1)
    expect(storedMessages(request.conversationFile).map((message) => message.role)).toEqual(['user'])
  })

  it('interrupts a tool, and the conversation can still go on', async () => {
    const { baseURL } = play(
      calls(
        { name: 'bash', input: { command: 'echo $$ > pid; sleep 600' } },
        { name: 'glob', input: { pattern: '*' } },
      ),
      report(),
    )
    const first = startTurn({ baseURL })
    await first.seen('tool', (event) => event.status === 'running')
    first.say({ t: 'interrupt' })
    expect(await first.outcome).toMatchObject({ ok: false, error: 'aborted' })
    const stored = storedMessages(first.request.conversationFile)
    expect(stored.at(-1)?.content).toHaveLength(2)

    const { conversationFile } = first.request
    const request = { resumeFile: conversationFile, prompt: 'Go on.' }
    const second = startTurn({ baseURL, project: first.project, request })
    expect(await second.outcome).toMatchObject({ ok: true, result: passed })
  })

  it('is gone: the turn ends', async () => {
    const { baseURL } = play(call('bash', { command: 'sleep 600' }), report())
    const { outcome, seen, endInput } = startTurn({ baseURL })
    await seen('tool', (event) => event.status === 'running')
    endInput()
    expect(await outcome).toMatchObject({ ok: false, error: 'aborted' })
  })
})

describe('what comes in over stdin', () => {
  it.each([
    '',
    'garbage',
    '[]',
    'null',
    '{}',
    '{"prompt":7}',
    '{"prompt":"x","model":"m","access":"root","cwd":"/"',
  ])('a first line that is no request ends it: %j', async (line) => {
    const { serve } = await import('../../source/embedded/serve.js')
    const lines: string[] = []
    const code = await serve({
      input: (async function* () {
        yield `${line}\n`
      })(),
      write: (text) => lines.push(text),
      env: {},
      stop: new AbortController(),
    })
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'end', outcome: { ok: false, error: 'input' } })
  })

  it('ends when no request comes at all', async () => {
    const { serve } = await import('../../source/embedded/serve.js')
    const lines: string[] = []
    const input = (async function* (): AsyncGenerator<string> {})()
    expect(
      await serve({ input, write: (text) => lines.push(text), env: {}, stop: new AbortController() }),
    ).toBe(1)
    expect(lines.join()).toContain('No request came')
  })

  it('notes a later line that is none and goes on', async () => {
    const { baseURL } = play(call('bash', { command: 'while [ ! -e go ]; do sleep 0.05; done' }), report())
    const { outcome, seen, say, project, events } = startTurn({ baseURL })
    await seen('tool', (event) => event.status === 'running')
    for (const line of ['garbage', '{"t":"explode"}', '{"t":"answer"}', '7', 'null']) say(line)
    await expect.poll(() => events.filter((event) => event.type === 'log').length).toBe(5)
    writeFileSync(join(project, 'go'), '')
    expect(await outcome).toMatchObject({ ok: true })
  })
})

describe('limits', () => {
  it('counts turns', async () => {
    const { baseURL, requests } = play(call('glob', { pattern: '*' }))
    const outcome = await startTurn({ baseURL, request: { limits: { turns: 3 } } }).outcome
    expect(outcome).toMatchObject({ ok: false, error: 'turns', retry: 'never' })
    expect(requests()).toHaveLength(3)
  })

  it('holds a budget between turns', async () => {
    const million = { input: 1_000_000, cacheRead: 0, cacheWrite: 0, output: 0 }
    const facts = { contextTokens: 10_000_000 }
    const costly = turn({ calls: [{ name: 'glob', input: { pattern: '*' } }], billing: million })
    const { baseURL, requests } = play(costly)
    const outcome = await startTurn({ baseURL, request: { limits: { usd: 3 }, facts } }).outcome
    expect(outcome).toMatchObject({ ok: false, error: 'budget', usage: { usd: 4 } })
    expect(requests()).toHaveLength(2)
  })

  it('says where no budget can be held', async () => {
    const { baseURL } = play(report())
    const { outcome, events } = startTurn({ baseURL, request: { model: 'llama', limits: { usd: 3 } } })
    expect((await outcome).usage.usd).toBeUndefined()
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'log', line: expect.stringContaining('llama') }),
    )
  })

  it('stops at 80 % of the context, but not when the work is done', async () => {
    const billing = { input: 80, cacheRead: 0, cacheWrite: 0, output: 1 }
    const request = { facts: { contextTokens: 100 } }
    const full = play(turn({ calls: [{ name: 'glob', input: { pattern: '*' } }], billing }))
    expect(await startTurn({ baseURL: full.baseURL, request }).outcome).toMatchObject({ error: 'context' })
    expect(full.requests()).toHaveLength(1)
    const done = play(turn({ calls: [{ name: 'report_result', input: passed }], billing }))
    expect(await startTurn({ baseURL: done.baseURL, request }).outcome).toMatchObject({ ok: true })
  })
})

describe('a conversation that goes on', () => {
  it('sends everything that was said, and then the new prompt', async () => {
    const { baseURL, requests } = play(call('glob', { pattern: '*' }), report(), report({ verdict: 'fail' }))
    const first = startTurn({ baseURL })
    await first.outcome
    const request = { resumeFile: first.request.conversationFile, prompt: 'Once more.' }
    const second = startTurn({ baseURL, project: first.project, request })
    expect(await second.outcome).toMatchObject({ ok: true, result: { verdict: 'fail' } })
    const { messages } = bodyOf(requests()[2])
    expect(messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
    expect(JSON.stringify(messages.at(-1))).toContain('Once more.')
  })

  it('can be copied, and the original stays', async () => {
    const { baseURL } = play(report())
    const first = startTurn({ baseURL })
    await first.outcome
    const before = readFileSync(first.request.conversationFile, 'utf8')
    const conversationFile = join(first.project, 'copy.jsonl')
    const request = { conversationFile, resumeFile: first.request.conversationFile, sessionId: 's2' }
    await startTurn({ baseURL, project: first.project, request }).outcome
    expect(readFileSync(first.request.conversationFile, 'utf8')).toBe(before)
    expect(readFileSync(conversationFile, 'utf8').startsWith(before)).toBe(true)
  })

  it('is missed: with the task at hand it begins anew, else it fails', async () => {
    const resumeFile = join(temporaryDirectory(), 'gone.jsonl')
    const { baseURL, requests } = play(report())
    const lost = await startTurn({ baseURL, request: { resumeFile, prompt: 'Go on.' } }).outcome
    expect(lost).toMatchObject({ ok: false, error: 'input' })
    expect(requests()).toHaveLength(0)
    const request = { resumeFile, prompt: 'Go on.', task: 'The whole task.' }
    const { outcome, events } = startTurn({ baseURL, request })
    expect(await outcome).toMatchObject({ ok: true })
    expect(JSON.stringify(bodyOf(requests()[0]).messages)).toContain('The whole task.')
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'log', line: expect.stringContaining('new one') }),
    )
  })
})
