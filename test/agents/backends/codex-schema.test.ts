import { describe, expect, it } from 'vitest'
import { strictSchema } from '../../../source/agents/backends/codex-schema.js'
import { resultSchemaJson, resultSchemas } from '../../../source/workflows/harness/results.js'

describe('strict schemas', () => {
  /** Everything the API asks of a strict schema, looked for everywhere. */
  function isStrict(schema: unknown): boolean {
    if (Array.isArray(schema)) return schema.every(isStrict)
    if (typeof schema !== 'object' || schema === null) return true
    const { type, properties, required, additionalProperties } = schema as Record<string, unknown>
    const isClosed =
      type !== 'object' ||
      (additionalProperties === false &&
        JSON.stringify(Object.keys(properties ?? {})) === JSON.stringify(required))
    return isClosed && Object.values(schema).every(isStrict)
  }

  it.each(['plan', 'execution', 'verification', 'review'] as const)('%s can be said strictly', (kind) => {
    const strict = strictSchema(resultSchemaJson(kind))
    expect(isStrict(strict?.schema)).toBe(true)
    expect(JSON.stringify(strict?.schema)).not.toMatch(/\$schema|default|prefixItems|minLength/)
  })

  it('takes out the nulls of what was left out, and only those', () => {
    const strict = strictSchema(resultSchemaJson('review'))
    const finding = { severity: 'high', file: 'a', line: null, title: 't', rationale: null }
    const restored = strict?.restore({ assessment: null, findings: [finding] })
    expect(restored).toEqual({ findings: [{ severity: 'high', file: 'a', line: null, title: 't' }] })
    expect(resultSchemas.review.safeParse(restored).success).toBe(true)
    const execution = strictSchema(resultSchemaJson('execution'))
    const nothing = { status: 'complete', completed: null, checkpoint: null, failure: null }
    expect(execution?.restore(nothing)).toEqual({ status: 'complete' })
  })

  it.each([
    ['an open map', { type: 'object', properties: { a: { type: 'object' } }, required: ['a'] }],
    ['anything', { type: 'object', properties: { a: {} }, required: ['a'] }],
    ['no object', { type: 'string' }],
    ['no schema', undefined],
  ])('%s cannot', (_, schema) => {
    expect(strictSchema(schema)).toBeUndefined()
  })

  it('leaves out what cannot be said where it may be missing', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] }
    expect(strictSchema(schema)?.schema).toMatchObject({ required: ['a'] })
  })
})
