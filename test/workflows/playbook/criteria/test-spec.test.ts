import { expect, test } from 'vitest'
import { readTestSpec, testCoverage } from '../../../../source/workflows/playbook/criteria/test-spec.js'

const read = (stdout: string, code: number | null = 0, more: object = {}) =>
  readTestSpec('02-01', 'tests/task-02-01.sh', {
    code,
    stdout,
    stderr: '',
    timedOut: false,
    missing: false,
    ...more,
  })

test('PASS and FAIL lines are read, others are not', () => {
  const outcome = read('PASS: one\n  PASS:  two \nFAIL: three\nRESULTS: 2 passed\n', 1)
  expect(outcome).toMatchObject({ passed: ['one', 'two'], failed: ['three'], exitCode: 1, status: 'FAILED' })
  expect(read('PASS: one\n')).toMatchObject({ status: 'ALL PASS' })
})

test.each([
  ['an exit code against the words', 'PASS: one', 1, 'no assertion failed and it ended with 1'],
  ['a green exit over a red assertion', 'FAIL: one', 0, 'an assertion failed and it ended with 0'],
  ['a test that asserts nothing', 'ok\n', 0, 'it asserts nothing'],
  ['one that broke before', '', 127, 'it ended with 127 before it asserted anything'],
])('%s is a failure', (_, stdout, code, reason) => {
  expect(read(stdout, code)).toMatchObject({
    status: 'FAILED',
    reason,
    category: 'acceptance_criteria_unmet',
  })
})

test('one that did not end is a failure of the tool', () => {
  expect(read('PASS: one', null, { timedOut: true })).toMatchObject({
    status: 'FAILED',
    category: 'tool_failure',
  })
})

test('coverage counts assertions and tasks', () => {
  expect(testCoverage([read('PASS: a\nPASS: b'), read('FAIL: c', 1)], 3)).toEqual({
    tasks_with_tests: 2,
    tasks_total: 3,
    assertions_passed: 2,
    assertions_total: 3,
  })
})
