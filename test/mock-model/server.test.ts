import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MockModel, startMockModel } from './server.js'
import { turn } from './turn.js'

let mock: MockModel

beforeEach(async () => {
  mock = await startMockModel()
})
afterEach(() => mock.close())

const prompt = 'Write it.\nFILE=/p/hello.txt'

interface Api {
  path: string
  body(tools: boolean): object
  /** Text, and calls with their input, that the stream tells, and the tokens as a sum that counts the cache once. */
  read(events: Record<string, unknown>[]): { text: string; calls: unknown[]; tokens: number }
}

// biome-ignore lint/suspicious/noExplicitAny: events of four APIs, read by path
type Any = any

const apis: Record<string, Api> = {
  messages: {
    path: '/v1/messages',
    body: (tools) => ({
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: prompt }],
      ...(tools ? { tools: [{ name: 'Write', input_schema: { properties: { file_path: {} } } }] } : {}),
    }),
    read(events: Any[]) {
      const usage = events.find((event) => event.type === 'message_delta').usage
      const inputs = events.filter((event) => event.delta?.type === 'input_json_delta')
      return {
        text: events.map((event) => event.delta?.text ?? '').join(''),
        calls:
          inputs.length > 0 ? [JSON.parse(inputs.map((event) => event.delta.partial_json).join(''))] : [],
        tokens: usage.input_tokens + usage.cache_read_input_tokens + usage.output_tokens,
      }
    },
  },
  responses: {
    path: '/v1/responses',
    body: (tools) => ({
      model: 'm',
      stream: true,
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] }],
      tools: tools ? [{ type: 'custom', name: 'apply_patch' }] : [],
    }),
    read(events: Any[]) {
      const usage = events.find((event) => event.type === 'response.completed').response.usage
      return {
        text: events
          .flatMap((event) => (event.type === 'response.output_text.delta' ? event.delta : []))
          .join(''),
        calls: events.flatMap((event) =>
          event.type === 'response.output_item.done' && event.item.type === 'custom_tool_call'
            ? { patch: event.item.input }
            : [],
        ),
        tokens: usage.total_tokens,
      }
    },
  },
  chat: {
    path: '/v1/chat/completions',
    body: (tools) => ({
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: prompt }],
      tools: tools
        ? [{ type: 'function', function: { name: 'write', parameters: { properties: { filePath: {} } } } }]
        : [],
    }),
    read(events: Any[]) {
      const deltas = events.map((event) => event.choices?.[0]?.delta ?? {})
      return {
        text: deltas.map((delta) => delta.content ?? '').join(''),
        calls: deltas.flatMap((delta) =>
          (delta.tool_calls ?? []).map((call: Any) => JSON.parse(call.function.arguments)),
        ),
        tokens: events.find((event) => event.usage).usage.total_tokens,
      }
    },
  },
  gemini: {
    path: '/v1beta/models/gemini-x:streamGenerateContent?alt=sse',
    body: (tools) => ({
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      tools: tools ? [{ functionDeclarations: [{ name: 'write_file' }] }] : [],
    }),
    read(events: Any[]) {
      const parts = events.flatMap((event) => event.candidates[0].content.parts)
      return {
        text: parts.map((part: Any) => (part.thought ? '' : (part.text ?? ''))).join(''),
        calls: parts.flatMap((part: Any) => (part.functionCall ? part.functionCall.args : [])),
        tokens: events.find((event) => event.usageMetadata).usageMetadata.totalTokenCount,
      }
    },
  },
}

function post(api: Api, scenario: string, tools = true, signal?: AbortSignal) {
  const url = `${mock.url(scenario)}${api.path}`
  return fetch(url, { method: 'POST', body: JSON.stringify(api.body(tools)), ...(signal ? { signal } : {}) })
}

async function eventsOf(response: Response): Promise<Record<string, unknown>[]> {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
  return lines.flatMap((line) => (line === 'data: [DONE]' ? [] : JSON.parse(line.slice(6))))
}

describe.each(Object.entries(apis))('%s', (_name, api) => {
  it('streams text and a tool call in the words of the client, and bills what it told', async () => {
    const read = api.read(await eventsOf(await post(api, 'write')))
    expect(read.text).toBe('I will write the file now.')
    expect(JSON.stringify(read.calls)).toContain('/p/hello.txt')
    expect(JSON.stringify(read.calls)).toContain('hello from the mock model')
    const bill = mock.billed('write')
    expect(bill.answers).toBe(1)
    expect(read.tokens).toBe(bill.inputTokens + bill.cacheReadTokens + bill.outputTokens)
  })

  it('refuses, limits and fails with the status that was asked for, unbilled', async () => {
    for (const [scenario, status] of [
      ['401', 401],
      ['429', 429],
      ['429-reset', 429],
      ['500', 500],
      ['529', 529],
      ['endless-retry', 503],
    ] as const) {
      const response = await post(api, scenario)
      expect(response.status).toBe(status)
      expect(await response.json()).toHaveProperty('error')
    }
    expect(mock.billed().answers).toBe(0)
  })

  it('tears the connection in the middle of the text', async () => {
    const response = await post(api, 'cut')
    await expect(response.text()).rejects.toThrow()
    expect(mock.requests[0]).toMatchObject({ outcome: 'cut' })
    expect(mock.requests[0]?.billed).toBeUndefined()
  })

  it('never answers where it hangs, until it is closed', async () => {
    const stop = new AbortController()
    const hanging = post(api, 'hang', true, stop.signal)
    await mock.seen((request) => request.outcome === 'hung')
    stop.abort()
    await expect(hanging).rejects.toThrow()
  })

  it('gives side errands an answer of their own, that uses up nothing', async () => {
    mock.script('once', [turn({ text: 'first' }), turn({ text: 'second' })])
    expect(api.read(await eventsOf(await post(api, 'once', false))).text).toBe('A mock title')
    expect(api.read(await eventsOf(await post(api, 'once'))).text).toBe('first')
    expect(api.read(await eventsOf(await post(api, 'once'))).text).toBe('second')
    expect(api.read(await eventsOf(await post(api, 'once'))).text).toBe('second')
  })
})

it('tells when a usage limit ends, by each API in its own way', async () => {
  const resetsAt = Math.floor(Date.now() / 1000 + 600) * 1000
  mock.script('limit', [{ kind: 'error', status: 429, reason: 'usage-limit', resetsAt }])
  const claude = await post(apis.messages!, 'limit')
  expect(claude.headers.get('anthropic-ratelimit-unified-reset')).toBe(String(resetsAt / 1000))
  expect(Number(claude.headers.get('retry-after'))).toBeGreaterThan(590)
  const codex = (await (await post(apis.responses!, 'limit')).json()) as Any
  expect(codex.error).toMatchObject({ type: 'usage_limit_reached', resets_at: resetsAt / 1000 })
  const opencode = await post(apis.chat!, 'limit')
  expect(Number(opencode.headers.get('retry-after'))).toBeGreaterThan(590)
  const gemini = (await (await post(apis.gemini!, 'limit')).json()) as Any
  expect(gemini.error.message).toMatch(/reset after 0h(9m5\ds|10m0s)/)
})

it('listens on loopback only, and says 404 to scenarios that it does not know', async () => {
  expect(mock.url('ok')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/ok$/)
  expect((await post(apis.messages!, 'unheard-of')).status).toBe(404)
  expect((await fetch(`${mock.url('ok')}/`, { method: 'HEAD' })).status).toBe(200)
})
