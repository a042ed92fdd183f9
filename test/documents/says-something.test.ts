import { expect, test } from 'vitest'
import { saysNothing } from '../../source/documents/says-something.js'

test.each([
  '',
  '-',
  'None',
  'none.',
  'N/A',
  'No gaps found.',
  'No blockers',
  'Nothing to report',
  'no known issues',
])('an entry of a list that says that there is none: %s', (text) => expect(saysNothing(text)).toBe(true))

test.each([
  'No tests were written.',
  'No error handling',
  'none of the tests pass',
  'Nothing rounds.',
  'Task 2',
  'no'.repeat(60),
])('an entry that says something: %s', (text) => expect(saysNothing(text)).toBe(false))
