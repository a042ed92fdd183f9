import { expect, test } from 'vitest'
import { attemptLines } from '../../../source/workflows/retries/attempt-lines.js'
import {
  type AttemptBudget,
  attemptsUsed,
  beginAttempt,
  describeAttempt,
} from '../../../source/workflows/retries/attempts.js'

const fresh: AttemptBudget = { maxAttempts: 3, currentTask: null }

test('attempts add up for one task; what they did is told afterwards, of the newest only', () => {
  const one = beginAttempt(fresh, { task: 'Task 1', error: 'red' }, 't1')
  const two = beginAttempt(describeAttempt(one, 'null check'), { task: 'Task 1', error: 'still red' }, 't2')
  expect(attemptsUsed(two, 'Task 1')).toBe(2)
  expect(describeAttempt(two, 'retry').currentTask?.attempts).toEqual([
    { timestamp: 't1', error: 'red', fix: 'null check', result: 'failed' },
    { timestamp: 't2', error: 'still red', fix: 'retry', result: 'failed' },
  ])
})

test('another task begins at one, and has used none before', () => {
  const one = beginAttempt(fresh, { task: 'Task 1', error: 'red' }, 't1')
  expect(attemptsUsed(one, 'Task 2')).toBe(0)
  expect(beginAttempt(one, { task: 'Task 2', error: 'red' }, 't2').currentTask).toMatchObject({
    name: 'Task 2',
    attemptsUsed: 1,
  })
})

test('what the agent had tried before the first attempt is kept with that one', () => {
  const one = beginAttempt(fresh, { task: 'Task 1', error: 'red', tried: 'a longer wait' }, 't1')
  const two = beginAttempt(one, { task: 'Task 1', error: 'red', tried: 'again' }, 't2')
  expect(two.currentTask?.attempts.map(({ tried }) => tried)).toEqual(['a longer wait', undefined])
})

test('nothing to describe where no task is retried', () => {
  expect(describeAttempt(fresh, 'fix')).toBe(fresh)
})

test('attempts are told below each other, with what was tried, and an error that came again is marked', () => {
  const attempt = (error: string, fix: string) => ({ timestamp: 't', error, fix, result: 'failed' as const })
  const lines = attemptLines([
    { ...attempt('expected 3 rules, got 2\n  at rules.ts:12', ''), tried: 'sorted them' },
    attempt('TypeError', 'a column'),
    attempt('expected 3 rules,  got 2\n at rules.ts:99', 'an index'),
  ])
  expect(lines).toEqual([
    'Before attempt 1',
    '    expected 3 rules, got 2',
    '      at rules.ts:12',
    '  Tried before that:',
    '    sorted them',
    '  Tried in attempt 1:',
    '    no fix reported',
    '',
    'Before attempt 2',
    '    TypeError',
    '  Tried in attempt 2:',
    '    a column',
    '',
    'Before attempt 3: the same error as before attempt 1',
    '    expected 3 rules,  got 2',
    '     at rules.ts:99',
    '  Tried in attempt 3:',
    '    an index',
    '',
  ])
})
