import { expect, test } from 'vitest'
import { rootCause, uncategorised } from '../../../source/workflows/playbook/taxonomy.js'

test('the earliest failure is the root cause', () => {
  const late = { at: '2030-01-01T10:00:00Z', step: 'verify', failure: 'b', category: 'lint_failure' } as const
  const early = {
    at: '2030-01-01T09:00:00Z',
    step: 'execute',
    failure: 'a',
    category: 'tool_failure',
  } as const
  expect(rootCause([late, early])).toBe(early)
  expect(rootCause([])).toBeUndefined()
})

test('a failure without a word of the taxonomy is found', () => {
  expect(uncategorised(['a'], [{ failure: 'a, told otherwise', category: 'lint_failure' }])).toEqual([])
  expect(uncategorised(['a', 'b'], [{ failure: 'a', category: 'lint_failure' }])).toEqual(['b'])
  expect(uncategorised(['a'], [{ failure: 'a', category: 'bad luck' }])).toEqual(['a'])
  expect(uncategorised([], [])).toEqual([])
})
