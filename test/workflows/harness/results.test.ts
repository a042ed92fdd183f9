import { describe, expect, it } from 'vitest'
import { addUsage, noUsage, parseEventLine } from '../../../source/agents/events.js'
import { lastJsonBlock, readJsonBlock, validationErrors } from '../../../source/agents/result.js'
import {
  executionResultSchema,
  planResultSchema,
  type ResultKind,
  resultSchemaJson,
  resultSchemas,
  reviewResultSchema,
  verificationResultSchema,
} from '../../../source/workflows/harness/results.js'

describe('lastJsonBlock', () => {
  it.each([
    ['the last of two', '```json\n{"a":1}\n```\ntext\n```JSON\n{"a":2}\n```\n', { a: 2 }],
    ['a tilde fence', '~~~json\n{"a":1}\n~~~', { a: 1 }],
    ['an indented block', 'So:\n   ```json\n   {"a":1}\n   ```', { a: 1 }],
    ['a block with line ends of another system', 'So:\r\n```json\r\n{"a":1}\r\n```\r\n', { a: 1 }],
    ['a coloured block', '\u001b[32m```json\u001b[0m\n{"a":\u001b[1m1}\n```\u001b[0m', { a: 1 }],
    ['a whole message', ' {"a":1}\n', { a: 1 }],
    ['no block of another language', '```js\n{"a":1}\n```', undefined],
    ['no block inside another', '````md\n```json\n{"a":1}\n```\n````', undefined],
    ['no earlier block when the last is broken', '```json\n{"a":1}\n```\n```json\n{"a":\n```', undefined],
    ['no list', '```json\n[1]\n```', undefined],
    ['nothing', '', undefined],
    ['a block cut off before its end', '```json\n{"a":', undefined],
    ['a block with a missing closing fence', '```json\n{"a":1}\n', { a: 1 }],
  ])('%s', (_, text, found) => expect(lastJsonBlock(text)).toEqual(found))
})

describe('readJsonBlock', () => {
  const broken = (text: string) => {
    const block = readJsonBlock(text)
    return block.kind === 'broken' ? block.message : block.kind
  }

  it.each([
    [
      'a quote too many',
      '```json\n{\n "a": "he said "hi""\n}\n```',
      /^is not valid JSON: .+ in line 2, column 17/,
    ],
    ['a block cut off', 'So:\n```json\n{\n "a":', /^is not valid JSON: Unexpected end .*line 2, column 6/],
    [
      'a word that is none',
      '```json\n{"a": undefined}\n```',
      /^is not valid JSON: Unexpected token .*undefined/,
    ],
    ['a list', '```json\n[1]\n```', /^is no JSON object$/],
    ['talk', 'All done.', /^none$/],
    ['another language', '```js\n{"a":\n```', /^none$/],
    ['a good block behind a broken one', '```json\n{\n```\n```json\n{"a":1}\n```', /^found$/],
  ])('%s', (_, text, said) => expect(broken(text)).toMatch(said))

  it('stays short whatever the block holds', () => {
    expect(broken(`\`\`\`json\n{"a": ${'x'.repeat(10_000)}}\n\`\`\``).length).toBeLessThan(250)
  })
})

describe('the four results', () => {
  it.each([
    [planResultSchema, { planPath: 'p.md', concerns: [] }, { concerns: [] }],
    [planResultSchema, { planPath: 'p.md', concerns: ['x'], skeleton: 's', more: 1 }, { planPath: 'p.md' }],
    [executionResultSchema, { status: 'complete', completed: ['Task 1'] }, { status: 'done' }],
    [
      executionResultSchema,
      { status: 'checkpoint', checkpoint: { type: 'decision', task: 'Task 1', prompt: '?', options: ['a'] } },
      { status: 'checkpoint', completed: [] },
    ],
    [
      executionResultSchema,
      { status: 'failed', failure: { task: 'Task 1', error: 'e' } },
      { status: 'failed' },
    ],
    [verificationResultSchema, { verdict: 'incomplete' }, { verdict: 'PASS?' }],
    [reviewResultSchema, { findings: [] }, { assessment: 'approve' }],
  ])('%# good and bad', (schema, good, bad) => {
    expect(schema.safeParse(good).success).toBe(true)
    expect(schema.safeParse(bad).success).toBe(false)
  })

  it('keeps extra keys and reads lines as reviewers write them', () => {
    const finding = { severity: 'critical', file: 'a.ts', title: 't', extra: true }
    const lines = [3, [3, 5], null, undefined, '7', 'L7-L9', 'top'].map((line) => ({ ...finding, line }))
    const read = reviewResultSchema.parse({ findings: lines })
    expect(read.findings.map((each) => each.line)).toEqual([3, [3, 5], null, undefined, 7, [7, 9], null])
    expect(read.findings[0]).toMatchObject({ severity: 'critical', extra: true })
  })

  it('names what is wrong, and where', () => {
    const { error } = reviewResultSchema.safeParse({ findings: [{ severity: 'note', file: 'a.ts' }] })
    expect(error && validationErrors(error)).toEqual([expect.stringMatching(/^findings\.0\.title: /)])
  })

  it.each(Object.keys(resultSchemas) as ResultKind[])('%s has a JSON Schema of what is put in', (kind) => {
    expect(resultSchemaJson(kind)).toMatchObject({ type: 'object', properties: expect.any(Object) })
  })

  it('does not demand what has a default', () => {
    expect(resultSchemaJson('execution')).toMatchObject({ required: ['status'] })
  })
})

describe('parseEventLine', () => {
  it.each([
    ['{"type":"text","text":"hi"}', { type: 'text', id: 'text', full: 'hi' }],
    [
      '{"type":"tool","name":"Bash","kind":"new","status":"strange"}',
      { kind: 'other', status: 'running', title: 'Bash' },
    ],
    ['{"type":"usage","input":"many","output":3}', { input: 0, output: 3, cached: 0, scope: 'turn' }],
    ['{"type":"end","result":{"a":1}}', { type: 'end', result: { a: 1 } }],
    ['{"type":"end","outcome":{"ok":true,"result":{"a":1}}}', { type: 'end', result: { a: 1 } }],
    [
      '{"type":"end","outcome":{"ok":false,"error":"new"}}',
      { type: 'end', failure: { error: 'crash', retry: 'now' } },
    ],
    ['{"type":"end"}', { type: 'end' }],
  ])('reads %s', (line, event) => expect(parseEventLine(line)).toMatchObject(event))

  it.each([
    '',
    'text',
    '{}',
    '[]',
    'null',
    '{"type":"unknown"}',
    '{"type":"text"}',
    '{"type":"session"}',
    '{"type":"end"',
  ])('leaves %s to be text', (line) => expect(parseEventLine(line)).toBeUndefined())

  it('adds turns up and replaces by totals', () => {
    const turn = { type: 'usage', input: 1, output: 2, cached: 3, usd: 0.5, scope: 'turn' } as const
    expect(addUsage(addUsage(noUsage, turn), turn)).toEqual({ input: 2, output: 4, cached: 6, usd: 1 })
    expect(addUsage(addUsage(noUsage, turn), { ...turn, scope: 'total' })).toEqual({
      input: 1,
      output: 2,
      cached: 3,
      usd: 0.5,
    })
    expect(addUsage(noUsage, { ...turn, usd: undefined }).usd).toBeUndefined()
  })
})
