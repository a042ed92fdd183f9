import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joined, type Message, openConversation } from '../../source/embedded/conversation.js'
import { createOutputRecord, modelPart } from '../../source/embedded/output-record.js'
import { factsOf, usageOf } from '../../source/embedded/prices.js'
import { judgeError, withRetries } from '../../source/embedded/retries.js'
import { temporaryDirectory } from './serving.js'

const same = (text: string) => text
const said = (text: string) => [{ type: 'text' as const, text }]
const called = (id: string) => [{ type: 'tool_use' as const, id, name: 'bash', input: {} }]

describe('a conversation on disk', () => {
  it('is for the owner only, one message a line', async () => {
    const file = join(temporaryDirectory(), 'deep', 'c.jsonl')
    const conversation = await openConversation({ file, hide: same })
    await conversation.add('user', said('line\nbreak \u2028'))
    await conversation.add('assistant', [])
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(1)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('cut at any byte goes on with the whole messages before', async () => {
    const file = join(temporaryDirectory(), 'c.jsonl')
    const first = await openConversation({ file, hide: same })
    await first.add('user', said('wörk'))
    await first.add('assistant', called('t1'))
    await first.add('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }])
    const bytes = readFileSync(file)
    const oneLine = bytes.indexOf(0x0a)
    for (let cut = oneLine; cut <= bytes.length; cut += 7) {
      writeFileSync(file, bytes.subarray(0, cut))
      const again = await openConversation({ file, resumeFile: file, hide: same })
      await again.add('user', said('go on'))
      const roles = joined(again.messages).map((message) => message.role)
      expect([['user'], ['user', 'assistant', 'user']]).toContainEqual(roles)
      const reopened = await openConversation({ file, resumeFile: file, hide: same })
      expect(reopened.messages).toEqual(again.messages)
    }
  })

  it('gives every open call a result, in the place where it belongs', async () => {
    const file = join(temporaryDirectory(), 'c.jsonl')
    const lines: Message[] = [
      { role: 'user', content: said('go') },
      { role: 'assistant', content: [...called('a'), ...called('b')] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b', content: 'ok' }] },
      { role: 'assistant', content: called('c') },
    ]
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    const { messages } = await openConversation({ file, resumeFile: file, hide: same })
    const results = joined(messages).map((message) =>
      message.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
    )
    expect(results).toEqual([[], [], ['a', 'b'], [], ['c']])
  })

  it.each([
    '',
    '\n\n',
    'garbage',
    '[]',
    '{"role":"system","content":[]}',
    '{"role":"user","content":"text"}',
  ])('that holds nothing is told: %j', async (text) => {
    const file = join(temporaryDirectory(), 'c.jsonl')
    writeFileSync(file, text)
    await expect(openConversation({ file, resumeFile: file, hide: same })).rejects.toThrow('no message')
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('skips lines of garbage between good ones', async () => {
    const file = join(temporaryDirectory(), 'c.jsonl')
    writeFileSync(file, `${JSON.stringify({ role: 'user', content: said('a') })}\n`)
    appendFileSync(
      file,
      `\0\0\0\n{"role":"user","con\n${JSON.stringify({ role: 'user', content: said('b') })}\n`,
    )
    const { messages } = await openConversation({ file, resumeFile: file, hide: same })
    expect(messages).toHaveLength(2)
  })
})

describe('output', () => {
  function record(keys: string[] = []) {
    const file = join(temporaryDirectory(), 'out.txt')
    return { file, output: createOutputRecord({ file, shownAs: 'out.txt', keys }) }
  }

  it('of any size and in any pieces is whole, or keeps its beginning and its end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 30 }),
        fc.constantFrom('x', 'ü', '\u{1f600}'),
        (sizes, letter) => {
          const { file, output } = record()
          const all = Buffer.from(
            sizes.map((size, index) => `${index}:${letter.repeat(size / 4)}`).join('\n'),
          )
          let at = 0
          for (const size of [...sizes, all.length]) {
            output.push(all.subarray(at, at + size))
            at += size
          }
          output.close()
          const shown = output.forModel()
          const text = all.toString('utf8')
          if (all.length <= modelPart * 2) {
            expect(shown).toBe(text)
            expect(existsSync(file)).toBe(false)
            return
          }
          expect(readFileSync(file, 'utf8')).toBe(text)
          const [head = '', tail = ''] = shown.split(
            /\n\[\d+ bytes are left out here; all of it is in out\.txt\]\n/,
          )
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
          expect(Buffer.byteLength(head)).toBeGreaterThan(modelPart - 4)
          expect(Buffer.byteLength(tail)).toBeGreaterThan(modelPart - 4)
          expect(Buffer.byteLength(shown)).toBeLessThan(modelPart * 2 + 100)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('shows no key to anybody', () => {
    const { file, output } = record(['very-secret-key'])
    output.push('a very-secret-key b\n'.repeat(10_000))
    output.close()
    for (const text of [output.forModel(), output.forPane(), readFileSync(file, 'utf8')]) {
      expect(text).not.toContain('very-secret-key')
      expect(text).toContain('[redacted]')
    }
  })

  it('that cannot be kept on disk still reaches the model', () => {
    const output = createOutputRecord({ file: '/dev/null/out.txt', shownAs: 'out.txt', keys: [] })
    output.push('x'.repeat(100_000))
    output.close()
    expect(output.forModel()).toMatch(/^x+\n\[59040 bytes are left out here\]\nx+$/)
  })
})

describe('prices', () => {
  const billed = { input: 1_000_000, output: 1_000_000, cacheRead: 1_000_000, cacheWrite: 1_000_000 }

  it.each([
    ['claude-opus-5-5', 4 + 20 + 0.2 + 5],
    ['claude-opus-4-5-20251101', 5 + 25 + 0.5 + 6.25],
    ['claude-sonnet-5-5', 2 + 10 + 0.1 + 2.5],
    ['claude-sonnet-5', 2 + 10 + 0.2 + 2.5],
    ['claude-sonnet-4-5', 3 + 15 + 0.3 + 3.75],
    ['claude-haiku-4-5', 1 + 5 + 0.1 + 1.25],
    ['claude-haiku-5-5', 0.5 + 2.5 + 0.05 + 0.625],
    ['claude-fable-5-1', 10 + 50 + 0.25 + 12.5],
  ])('%s', (model, usd) => {
    expect(usageOf(model, billed).usd).toBeCloseTo(usd, 9)
  })

  it('of a short prompt of the small model are lower', () => {
    expect(
      usageOf('claude-haiku-5-5', { ...billed, input: 1000, cacheRead: 0, cacheWrite: 0 }).usd,
    ).toBeCloseTo(0.5001, 9)
  })

  it('of an unknown model are unknown, unless they are told', () => {
    expect(usageOf('llama', billed)).toEqual({ input: 2_000_000, output: 1_000_000, cached: 1_000_000 })
    const own = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }
    expect(usageOf('llama', billed, own).usd).toBeCloseTo(10, 9)
    expect(factsOf('llama', { contextTokens: 9 })).toMatchObject({ contextTokens: 9, maxTokens: 8192 })
  })
})

describe('retries', () => {
  const now = Date.UTC(2026, 10, 1)

  it.each([null, undefined, 'text', 7, {}, new Error('')])(
    'of a throw of anything are decided: %j',
    (thrown) => {
      expect(judgeError(thrown, now).kind).toBe('passing')
    },
  )

  it('tell the cause below "fetch failed"', () => {
    const error = new Error('Connection error.', {
      cause: new Error('fetch failed', { cause: new Error('ECONNREFUSED') }),
    })
    expect(judgeError(error, now)).toMatchObject({ cause: 'Connection error: fetch failed: ECONNREFUSED' })
  })

  it('announce each pause before it begins, each twice the last, and stop at once when told', async () => {
    const heard: string[] = []
    const stop = new AbortController()
    const tried = await withRetries(() => Promise.reject(new Error('no')), {
      emit: (event) => event.type === 'retry' && heard.push(`told ${event.attempt}`),
      times: { backoffMs: 1000, shortLimitMs: 0 },
      signal: stop.signal,
      now: () => now,
      random: () => 1,
      async sleep(ms) {
        heard.push(`slept ${ms}`)
        if (heard.length === 6) stop.abort()
      },
    })
    expect(heard).toEqual(['told 1', 'slept 1000', 'told 2', 'slept 2000', 'told 3', 'slept 4000'])
    expect(tried).toMatchObject({ ok: false, failure: { error: 'aborted' } })
  })
})
