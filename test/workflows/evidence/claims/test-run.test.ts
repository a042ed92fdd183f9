import { describe, expect, test } from 'vitest'
import {
  fewerTests,
  isWorse,
  readTestRun,
  type TestRun,
  testCounts,
} from '../../../../source/workflows/evidence/claims/test-run.js'

const ended = {
  code: 0,
  signal: null,
  stdout: '',
  stderr: '',
  timedOut: false,
  missing: false,
  truncated: false,
}
const run = (outcome: TestRun['outcome'], counts?: TestRun['counts']): TestRun => ({
  command: 'npm test',
  outcome,
  counts,
  durationMs: 1,
  tail: [],
})

describe('counts of runners', () => {
  test.each([
    ['node --test, TAP', '# tests 5\n# pass 3\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 0\n', [4, 1, 1]],
    ['node --test, spec', 'ℹ tests 2\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n', [2, 0, 0]],
    ['vitest', ' Test Files  1 passed (1)\n      Tests  1 failed | 5 passed | 2 skipped (8)\n', [6, 1, 2]],
    ['jest', 'Tests:       1 failed, 2 skipped, 5 passed, 8 total\n', [6, 1, 2]],
    ['pytest', '==== 1 failed, 3 passed, 2 skipped in 0.12s ====\n', [4, 1, 2]],
    ['pytest -q', '3 passed in 0.12s\n', [3, 0, 0]],
    ['unittest', 'Ran 4 tests in 0.001s\n\nOK (skipped=1)\n', [3, 0, 1]],
    ['cargo', 'test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\n', [3, 0, 1]],
    ['go test -v', '--- PASS: TestA (0.00s)\n--- SKIP: TestB (0.00s)\n--- FAIL: TestC (0.00s)\n', [2, 1, 1]],
    ['mocha', '  5 passing (10ms)\n  1 pending\n  2 failing\n', [7, 2, 1]],
  ])('%s', (_name, text, [executed, failed, skipped]) => {
    expect(testCounts(text)).toEqual({ executed, failed, skipped })
  })

  test('nothing is made up', () => expect(testCounts('all is well, 5 of 5\n')).toBeUndefined())
})

test('outcomes: red, nothing to run, not started, not ended', () => {
  const read = (change: object) => readTestRun('npm test', { ...ended, ...change }, 5).outcome
  expect(read({})).toBe('passed')
  expect(read({ code: 1, stdout: 'boom' })).toBe('failed')
  expect(read({ code: 5, stdout: 'no tests ran' })).toBe('none')
  expect(read({ code: null, missing: true })).toBe('cannot-run')
  expect(read({ code: null, timedOut: true })).toBe('cannot-run')
})

test('fewer executed or more skipped than before', () => {
  const before = run('passed', { executed: 4, failed: 0, skipped: 0 })
  expect(fewerTests(before, run('passed', { executed: 4, failed: 0, skipped: 0 }))).toEqual([])
  expect(fewerTests(before, run('passed', { executed: 3, failed: 0, skipped: 1 }))).toHaveLength(2)
  expect(fewerTests(undefined, run('passed', { executed: 0, failed: 0, skipped: 0 }))).toEqual([])
  expect(fewerTests(before, run('passed'))).toHaveLength(1)
  expect(fewerTests(before, run('failed'))).toEqual([])
})

test('worse is red where it was not, or redder', () => {
  expect(isWorse(run('passed'), run('failed'))).toBe(true)
  expect(isWorse(undefined, run('failed'))).toBe(true)
  expect(isWorse(run('none'), run('failed'))).toBe(true)
  expect(isWorse(run('cannot-run'), run('cannot-run'))).toBe(false)
  const red = (failed: number) => run('failed', { executed: 9, failed, skipped: 0 })
  expect(isWorse(red(2), red(2))).toBe(false)
  expect(isWorse(red(2), red(3))).toBe(true)
})
