import { expect, test } from 'vitest'
import { saysNothing, saysSomething } from '../../source/documents/says-something.js'

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

test.each([
  '# Report\n\nTBD\n',
  '# Report\n\n## Risks\n- TODO\n- [ ] tbd.\n\n*To be written later*\n',
  '# Report\r\n\r\n> Coming soon...\r\n<!-- what is to be said -->\r\n[one paragraph]\r\n',
])('a document that only keeps a place for what is to come says nothing: %j', (text) =>
  expect(saysSomething(text)).toBe(false),
)

test.each([
  'x',
  '# Restrictions\n\nNone\n',
  'TODO: call the bank',
  'The todo list is kept in a file.',
  '- [x] done',
])('a document that says something: %j', (text) => expect(saysSomething(text)).toBe(true))
