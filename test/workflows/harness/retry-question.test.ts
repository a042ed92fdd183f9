import { expect, test } from 'vitest'
import { qRetry } from '../../../source/workflows/harness/questions/execute.js'

test('an agent that says "none" of what it tried has told nothing', () => {
  const attempt = { timestamp: '2030-04-03T09:00:00.000Z', error: 'red', result: 'failed' as const }
  const { body } = qRetry('Task 1', [
    { ...attempt, tried: 'None.', fix: 'none' },
    { ...attempt, fix: '' },
    { ...attempt, fix: 'none of the imports was right; renamed them' },
  ])
  expect(body.slice(1, 4)).toEqual([
    'Attempt 1: no fix reported -> red',
    'Attempt 2: no fix reported -> red',
    'Attempt 3: none of the imports was right; renamed them -> red',
  ])
})
