import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../source/agents/agent.js'
import { boundedOutcome, boundedValue, cappedText, messageCap } from '../../source/agents/border.js'
import { parseEventLine } from '../../source/agents/events.js'
import { parseFields } from '../../source/agents/fields.js'
import { readJsonBlock } from '../../source/agents/result.js'
import { deepest, isTooDeep } from '../../source/documents/json-depth.js'
import { executionResultSchema } from '../../source/workflows/harness/results.js'

const now = Date.parse('2026-11-27T21:00:00Z')
const usage = { input: 1, output: 2, cached: 0 }
const nested = (depth: number) => `${'{"a":['.repeat(depth / 2)}1${']}'.repeat(depth / 2)}`

it('an end line tells when a limit ends as a number or as a date', () => {
  const outcome = { ok: false, error: 'limit', message: 'm' }
  const read = (resetsAt: unknown) =>
    parseEventLine(JSON.stringify({ type: 'end', outcome: { ...outcome, resetsAt } }))
  expect(read('2026-11-27T22:00:00Z')).toMatchObject({ failure: { resetsAt: now + 3_600_000 } })
  expect(read(now)).toMatchObject({ failure: { resetsAt: now } })
  expect(read('soon')).toMatchObject({ failure: { error: 'limit' } })
})

describe('a failure', () => {
  const failed = (changes: object) =>
    boundedOutcome(
      { ok: false, error: 'crash', message: 'm', retry: 'now', usage, ...changes } as Outcome,
      now,
    )

  it('keeps 16 KB of its message, from both ends, and says what is left out', () => {
    const message = `first ${'x'.repeat(3_000_000)} last`
    const kept = failed({ message })
    expect(kept.ok ? '' : kept.message).toMatch(
      /^first x+\n\[\.\.\. 2983627 characters left out \.\.\.\]\nx+ last$/,
    )
    expect(JSON.stringify(kept).length).toBeLessThan(messageCap + 200)
    expect(failed({})).toEqual({ ok: false, error: 'crash', message: 'm', retry: 'now', usage })
  })

  it('of a limit says when it ends, by its number, else by its words', () => {
    const words = 'usage limit reached, resets 11pm (UTC)'
    expect(failed({ error: 'limit', message: words })).toMatchObject({ resetsAt: now + 2 * 3_600_000 })
    expect(failed({ error: 'limit', message: words, resetsAt: now + 5 })).toMatchObject({ resetsAt: now + 5 })
    // Whoever counts in seconds, or multiplies once too often, means the same moment.
    const soon = now + 3_600_000
    for (const resetsAt of [soon / 1000, soon * 1000])
      expect(failed({ error: 'limit', message: 'later', resetsAt })).toMatchObject({ resetsAt: soon })
    expect(failed({ error: 'limit', message: 'later', resetsAt: now - 5 })).not.toHaveProperty('resetsAt')
    expect(failed({ error: 'crash', message: words, resetsAt: now + 5 })).not.toHaveProperty('resetsAt')
  })
})

it('texts are cut between characters', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 20, maxLength: 200 }),
      fc.integer({ min: 2, max: 19 }),
      (text, cap) => {
        const cut = cappedText(text, cap)
        expect(Buffer.from(cut).toString()).toBe(cut)
      },
    ),
  )
})

describe('a result', () => {
  const done = (result: unknown) => boundedOutcome({ ok: true, result, text: '', usage }, now)

  it('is kept as it is where it is of usual size', () => {
    const result = { status: 'complete', list: [1, null, { a: 'b' }] }
    expect(done(result)).toEqual({ ok: true, result, text: '', usage })
    expect(done(undefined)).toEqual({ ok: true, result: undefined, text: '', usage })
  })

  it('has its endless texts cut, and what is told of a failure more so', () => {
    const failure = { task: 'Task 1', error: `boom ${'x'.repeat(3_000_000)} end` }
    const came = done({ status: 'failed', completed: [], failure })
    const result = executionResultSchema.parse(came.ok ? came.result : undefined)
    expect(result.failure?.error).toMatch(/^boom x+\n\[\.\.\. \d+ characters left out \.\.\.\]\nx+ end$/)
    expect(JSON.stringify(result).length).toBeLessThan(messageCap + 200)
  })

  it.each([
    ['too deep', JSON.parse(nested(deepest + 2)), `is nested more than ${deepest} deep`],
    ['too many values', { list: new Array(2_000_000).fill(0) }, 'is larger than 1 MB'],
    ['too many texts', new Array(5).fill('x'.repeat(250_000)), 'is larger than 1 MB'],
    ['too long a key', { ['k'.repeat(1_100_000)]: 1 }, 'is larger than 1 MB'],
  ])('is refused where it is %s', (_, value, wrong) => {
    expect(boundedValue(value)).toEqual({ ok: false, wrong })
    expect(done(value)).toMatchObject({ ok: false, error: 'schema', retry: 'now', usage })
  })
})

describe('depth', () => {
  it('is counted before anything is parsed, in values only', () => {
    expect(isTooDeep(nested(deepest))).toBe(false)
    expect(isTooDeep(nested(deepest + 2))).toBe(true)
    expect(isTooDeep(JSON.stringify({ text: '[{"\\'.repeat(300) }))).toBe(false)
    expect(isTooDeep(JSON.stringify(new Array(500).fill({ a: [] })))).toBe(false)
  })

  it('is no reason to fall over, whoever reads it', () => {
    const deep = `{"type":"tool","id":"1","input":${nested(1_000_000)}}`
    expect(parseEventLine(deep)).toBeUndefined()
    expect(parseFields(deep)).toBeUndefined()
    expect(readJsonBlock(`\`\`\`json\n${deep}\n\`\`\``)).toEqual({
      kind: 'broken',
      message: `is nested more than ${deepest} deep`,
    })
  })
})
