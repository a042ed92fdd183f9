import { describe, expect, it, test } from 'vitest'
import type { Expectation } from '../../../../source/documents/playbook-criterion.js'
import { evaluate, exitOf, numberOf } from '../../../../source/workflows/playbook/criteria/evaluate.js'

const result = (more: object = {}) => ({
  code: 0,
  stdout: '',
  stderr: '',
  timedOut: false,
  missing: false,
  ...more,
})
const passes = (command: string, expectation: Expectation, more: object) =>
  evaluate(command, expectation, result(more)).passed

describe('exit', () => {
  it('is the last one that was printed, else that of the process', () => {
    expect(exitOf(result({ code: 1 }))).toBe(1)
    expect(exitOf(result({ code: 0, stdout: 'EXIT:1\nmore\nEXIT:2\n' }))).toBe(2)
    expect(exitOf(result({ code: 0, stdout: 'no newline before EXIT:3' }))).toBe(3)
    expect(exitOf(result({ code: null }))).toBeNull()
  })
})

describe('value', () => {
  test.each([
    ['grep -c foo src/a.ts', '3\n', 3],
    ['grep -c foo src/a.ts src/b.ts', 'src/a.ts:3\nsrc/b.ts:4\n', 7],
    ['grep -rc foo src; echo EXIT:$?', 'src/a.ts:1\nsrc/b:2.ts:4\nEXIT:0\n', 5],
    ['rg --count foo', 'a:2\nb:1', 3],
    ['wc -l < src/a.ts', '  12\n', 12],
    ['wc -l src/a.ts', '  12 src/a.ts\n', 12],
    ['wc -l a b', '  1 a\n  2 b\n  3 total\n', 3],
    ['ls src | wc -l', '4\n', 4],
    ['node count.js', 'counting\n17\n', 17],
    ['node score.js', 'the score is\n8.4\n', 8.4],
    ['grep foo src/a.ts', 'foo\nfoo bar\n\n', 2],
    ['grep -n foo a; echo EXIT:$?', '1:foo\nEXIT:0\n', 1],
    ['grep foo src/a.ts', '', 0],
    ['timeout 5 grep -c foo a', '0\n', 0],
  ])('%s', (command, stdout, value) => {
    expect(numberOf(command, stdout)).toBe(value)
  })
})

test.each<[string, Expectation, object, boolean]>([
  ['equals', { op: 'equals', value: 0 }, { code: 1, stdout: '0\n' }, true],
  ['equals, other', { op: 'equals', value: 1 }, { code: 0, stdout: '2\n' }, false],
  ['atLeast', { op: 'atLeast', value: 2 }, { stdout: '2\n' }, true],
  ['atLeast, fewer', { op: 'atLeast', value: 2 }, { stdout: '1\n' }, false],
  ['atMost', { op: 'atMost', value: 2 }, { stdout: '2\n' }, true],
  ['atMost, more', { op: 'atMost', value: 2 }, { stdout: '3\n' }, false],
  ['exit', { op: 'exit', value: 0 }, { code: 0 }, true],
  ['exit, printed', { op: 'exit', value: 0 }, { code: 0, stdout: 'EXIT:1' }, false],
  ['exitNot', { op: 'exitNot', value: 0 }, { code: 2 }, true],
  ['exitNot, 0', { op: 'exitNot', value: 0 }, { code: 0 }, false],
  ['exitNot, by a signal', { op: 'exitNot', value: 0 }, { code: null }, false],
  ['match', { op: 'match' }, { stdout: 'x\n' }, true],
  ['match, only the exit line', { op: 'match' }, { stdout: '\nEXIT:0\n' }, false],
  ['match, only an error', { op: 'match' }, { code: 2, stderr: 'grep: a: No such file' }, false],
  ['noMatch', { op: 'noMatch' }, { code: 1 }, true],
  ['noMatch, something', { op: 'noMatch' }, { stdout: 'x' }, false],
  ['noMatch, a count of none', { op: 'noMatch' }, { code: 1, stdout: '0\n' }, true],
  ['noMatch, a count', { op: 'noMatch' }, { stdout: '2\n' }, false],
  ['match, a count of none', { op: 'match' }, { code: 1, stdout: '0\n' }, false],
  ['match, a count', { op: 'match' }, { stdout: '2\n' }, true],
  ['between', { op: 'atLeast', value: 2, and: { op: 'atMost', value: 4 } }, { stdout: '4\n' }, true],
  ['between, fewer', { op: 'atLeast', value: 2, and: { op: 'atMost', value: 4 } }, { stdout: '1\n' }, false],
  ['between, more', { op: 'atLeast', value: 2, and: { op: 'atMost', value: 4 } }, { stdout: '5\n' }, false],
  ['contains', { op: 'contains', value: '3 passed' }, { stdout: 'Tests 3 passed' }, true],
  ['contains, in the errors', { op: 'contains', value: 'warn' }, { stderr: 'a warning' }, true],
  ['contains, not', { op: 'contains', value: '3 passed' }, { stdout: '2 passed' }, false],
  ['a timeout', { op: 'noMatch' }, { timedOut: true, code: null }, false],
  ['not started', { op: 'noMatch' }, { missing: true, code: null }, false],
])('%s', (_, expectation, more, wanted) => {
  expect(passes('grep -c x a', expectation, more)).toBe(wanted)
})

test.each<[string, Expectation['op'], number, boolean]>([
  ['grep -q TODO a', 'noMatch', 0, false],
  ['grep -q TODO a', 'noMatch', 1, true],
  ['grep -rnq TODO src; echo EXIT:$?', 'noMatch', 0, false],
  ['cat a | grep --quiet TODO', 'match', 0, true],
  ['cat a | grep --quiet TODO', 'match', 1, false],
  ['! grep -q TODO a', 'noMatch', 0, true],
  ['! grep -q TODO a', 'noMatch', 1, false],
  ['test -f a', 'match', 0, true],
  ['[ -f a ]', 'noMatch', 0, false],
  ['grep TODO a', 'match', 0, false],
])(
  'a command that prints nothing says by its exit what it found: %s, %s, exit %s',
  (command, op, code, wanted) => {
    expect(passes(command, { op } as Expectation, { code, stdout: '' })).toBe(wanted)
  },
)

test('why it did not pass is told with what was there', () => {
  const { reason } = evaluate('wc -l', { op: 'atLeast', value: 3 }, result({ stdout: '1' }))
  expect(reason).toBe('1, expected at least 3')
})
