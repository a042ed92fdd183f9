import { expect, test } from 'vitest'
import { shapes } from '../../../source/workflows/playbook/personas/shapes.js'
import {
  divergenceResult,
  type Expects,
  judgementResult,
  planCheckResult,
  ratingResult,
  resultSchemaJson,
  resultSchemas,
} from '../../../source/workflows/playbook/results.js'

const kinds = Object.keys(resultSchemas) as Expects[]

/** Names of fields of a schema, with those of the objects in its lists. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, items, anyOf } = schema as {
    properties?: Record<string, unknown>
    items?: unknown
    anyOf?: unknown[]
  }
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => [name, ...fieldsOf(inner)]),
    ...fieldsOf(items),
    ...(anyOf ?? []).flatMap(fieldsOf),
  ]
}

test.each(kinds)('%s: the shape in the prompt names the fields of the schema', (kind) => {
  const wanted = new Set(fieldsOf(resultSchemaJson(kind)))
  const shown = new Set([...shapes[kind].matchAll(/"([a-z_]+)":/g)].map((match) => match[1] ?? ''))
  // Said in words beside the shape, and of the faults of a screen.
  for (const name of ['issues_detected', 'route', 'type', 'severity', 'description']) {
    if (!shown.has(name)) wanted.delete(name)
  }
  expect([...shown].sort()).toEqual([...wanted].sort())
})

test('a judge has at least one concern, and speaks of the verifier only in the second turn', () => {
  const first = { recommendation: 'proceed', concerns: ['one'] }
  expect(judgementResult.parse(first)).toMatchObject({ independent_evidence: [], notes: '' })
  expect(judgementResult.safeParse({ ...first, concerns: [] }).success).toBe(false)
  expect(divergenceResult.safeParse(first).success).toBe(false)
  expect(divergenceResult.safeParse({ ...first, verifier_agreement: true }).success).toBe(true)
})

test('a score lies between 0 and 10 and a confidence between 1 and 10', () => {
  const rating = {
    alignment_score: 8.5,
    test_coverage: { tasks_with_tests: 1, tasks_total: 1, assertions_passed: 2, assertions_total: 2 },
    score_band: 'good',
  }
  expect(ratingResult.safeParse(rating).success).toBe(true)
  expect(ratingResult.safeParse({ ...rating, alignment_score: 10.1 }).success).toBe(false)
  const check = { pass: true, confidence: 7, blocker_count: 0, warning_count: 0 }
  expect(planCheckResult.safeParse(check).success).toBe(true)
  expect(planCheckResult.safeParse({ ...check, confidence: 0 }).success).toBe(false)
})

test('keys that nobody knows are kept', () => {
  const read = judgementResult.parse({
    recommendation: 'halt',
    concerns: ['one'],
    issues_detected: ['x'],
    own: 1,
  })
  expect(read).toMatchObject({ own: 1, issues_detected: ['x'] })
})
