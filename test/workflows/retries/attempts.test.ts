import { expect, test } from 'vitest'
import {
  type AttemptBudget,
  attemptsUsed,
  beginAttempt,
  describeAttempt,
} from '../../../source/workflows/retries/attempts.js'

const fresh: AttemptBudget = { maxAttempts: 3, currentTask: null }

test('attempts add up for one task; what they did is told afterwards, of the newest only', () => {
  const one = beginAttempt(fresh, 'Task 1', 'red', 't1')
  const two = beginAttempt(describeAttempt(one, 'null check'), 'Task 1', 'still red', 't2')
  expect(attemptsUsed(two, 'Task 1')).toBe(2)
  expect(describeAttempt(two, 'retry').currentTask?.attempts).toEqual([
    { timestamp: 't1', error: 'red', fix: 'null check', result: 'failed' },
    { timestamp: 't2', error: 'still red', fix: 'retry', result: 'failed' },
  ])
})

test('another task begins at one, and has used none before', () => {
  const one = beginAttempt(fresh, 'Task 1', 'red', 't1')
  expect(attemptsUsed(one, 'Task 2')).toBe(0)
  expect(beginAttempt(one, 'Task 2', 'red', 't2').currentTask).toMatchObject({
    name: 'Task 2',
    attemptsUsed: 1,
  })
})

test('nothing to describe where no task is retried', () => {
  expect(describeAttempt(fresh, 'fix')).toBe(fresh)
})
