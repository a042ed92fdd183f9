import { expect, test } from 'vitest'
import { estimateTokens, estimateWarning } from '../../../source/workflows/playbook/estimate.js'

test('tasks by complexity, what is beside them, and a fifth more', () => {
  const tasks = [{ complexity: 'simple' }, { complexity: 'medium' }, { complexity: 'complex' }] as const
  expect(estimateTokens('ui', tasks)).toBe((15_000 + 30_000 + 60_000 + 50_000) * 1.2)
})

test.each([
  ['protocol', 180_000],
  ['ui', 300_000],
  ['data', 120_000],
  ['mixed', 240_000],
] as const)('without a plan %s is %d', (type, tokens) => {
  expect(estimateTokens(type, undefined)).toBe(tokens)
  expect(estimateTokens(type, [])).toBe(tokens)
})

test('more than four fifths of the cap warns', () => {
  expect(estimateWarning(400_000, 500_000)).toBeUndefined()
  expect(estimateWarning(400_001, 500_000)).toContain('80 % of the 500000')
})
