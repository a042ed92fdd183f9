import { describe, expect, test } from 'vitest'
import { openUnits, unitsIn } from '../../../../source/workflows/evidence/claims/executed-tests.js'
import { testCounts } from '../../../../source/workflows/evidence/claims/test-counts.js'
import {
  fewerTests,
  isWorse,
  readTestRun,
  type TestRun,
  testRunText,
  unitsOf,
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
    ['rspec', '5 examples, 1 failure, 2 pending\n', [3, 1, 2]],
    ['minitest', '5 runs, 9 assertions, 1 failures, 1 errors, 1 skips\n', [4, 2, 1]],
    ['phpunit', 'OK (5 tests, 9 assertions)\n', [5, 0, 0]],
    ['phpunit, not all', 'Tests: 5, Assertions: 9, Failures: 1, Skipped: 1, Incomplete: 1.\n', [3, 1, 2]],
    ['pest', '  Tests:    1 skipped, 5 passed (9 assertions)\n', [5, 0, 1]],
    [
      'maven, by class and module',
      'Tests run: 2, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.1 s\n[WARNING] Tests run: 5, Failures: 0, Errors: 1, Skipped: 1\n[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n',
      [6, 1, 1],
    ],
    ['gradle', '5 tests completed, 1 failed, 2 skipped\n', [3, 1, 2]],
    ['dotnet', 'Passed!  - Failed:     0, Passed:     4, Skipped:     1, Total:     5\n', [4, 0, 1]],
    [
      'dotnet, terminal logger',
      'Test summary: total: 5, failed: 1, succeeded: 3, skipped: 1, duration: 0.5s\n',
      [4, 1, 1],
    ],
    ['exunit', '1 doctest, 5 tests, 1 failure, 1 excluded, 2 skipped\n', [3, 1, 3]],
    [
      'XCTest, by suite and in all',
      '\t Executed 2 tests, with 0 failures (0 unexpected) in 0.1\n\t Executed 5 tests, with 1 test skipped and 1 failure (0 unexpected) in 0.1\n',
      [4, 1, 1],
    ],
    ['ctest', '80% tests passed, 1 tests failed out of 5\n', [5, 1, 0]],
    [
      'googletest',
      '[==========] 5 tests from 1 test suite ran. (0 ms total)\n[  PASSED  ] 3 tests.\n[  SKIPPED ] 1 test, listed below:\n[  FAILED  ] 1 test, listed below:\n  YOU HAVE 2 DISABLED TESTS\n',
      [4, 1, 3],
    ],
    ['Catch2', 'test cases: 5 | 3 passed | 1 failed | 1 skipped\n', [4, 1, 1]],
    ['Catch2, all', 'All tests passed (9 assertions in 5 test cases)\n', [5, 0, 0]],
    ['bats', '1..3\nok 1 one\nnot ok 2 two\nok 3 three # skip flaky\n', [2, 1, 1]],
    ['deno', 'ok | 5 passed | 0 failed | 1 ignored (12ms)\n', [5, 0, 1]],
    ['bun', ' 5 pass\n 1 skip\n 2 fail\n', [7, 2, 1]],
    ['dart', '00:01 +2: a\n00:02 +5 ~1 -1: Some tests failed.\n', [6, 1, 1]],
    ['scalatest', 'Tests: succeeded 4, failed 1, canceled 0, ignored 2, pending 0\n', [5, 1, 2]],
    ['nextest', '     Summary [   0.01s] 5 tests run: 4 passed, 1 failed, 2 skipped\n', [5, 1, 2]],
    ['ava', '  5 tests passed\n  1 test failed\n  2 tests skipped\n', [6, 1, 2]],
    ['playwright', '  1 failed\n  2 skipped\n  5 passed (3.4s)\n', [6, 1, 2]],
    ['jasmine', '5 specs, 1 failure, 2 pending specs\n', [3, 1, 2]],
    ['terraform', 'Failure! 4 passed, 1 failed, 1 skipped.\n', [5, 1, 1]],
    [
      'go test, by package',
      'ok  \ta/b\t0.1s\nok  \ta/c\t0.1s [no tests to run]\nFAIL\ta/d\t0.2s\n?   \ta/e\t[no test files]\n',
      [2, 1, 0],
    ],
  ])('%s', (_name, text, [executed, failed, skipped]) => {
    expect(testCounts(text)).toEqual({ executed, failed, skipped })
  })

  test('nothing is made up', () => expect(testCounts('all is well, 5 of 5\n')).toBeUndefined())
})

describe('a run', () => {
  const report = 'ok 1 - one\n# tests 1\n# pass 1\n# fail 0\n'
  const read = (of: Partial<Parameters<typeof readTestRun>[1]>) =>
    readTestRun('npm test', { ...ended, ...of }, 61_000)

  test('ends in what it reported', () => {
    const good = read({ stdout: report })
    expect(good).toMatchObject({ outcome: 'passed', counts: { executed: 1, failed: 0, skipped: 0 } })
    expect(good.units).toBeDefined()
    expect(good).not.toHaveProperty('hung')
    expect(read({ stdout: report, code: 1 }).outcome).toBe('failed')
    expect(read({ stdout: 'No tests found\n', code: 1 }).outcome).toBe('none')
    // Of a report that was cut short, names may be missing that were executed.
    expect(read({ stdout: report, truncated: true })).not.toHaveProperty('units')
    const silent = read({ stdout: 'all is well\n' })
    expect(silent.outcome).toBe('passed')
    expect([Object.hasOwn(silent, 'counts'), Object.hasOwn(silent, 'units')]).toEqual([false, false])
  })

  test('that could not be had says why, before the end of what it said', () => {
    expect(read({ missing: true, code: null })).toMatchObject({
      outcome: 'cannot-run',
      tail: ['The program was not found.'],
    })
    const slow = read({ timedOut: true, code: null, signal: 'SIGKILL', stdout: 'begun' })
    expect(slow).toMatchObject({ outcome: 'cannot-run', hung: true })
    expect(slow.tail).toEqual(['It did not end within 61 seconds, and was ended.', 'begun'])
    const killed = read({ code: null, signal: 'SIGKILL', stdout: report })
    expect(killed).toMatchObject({
      outcome: 'cannot-run',
      tail: ['It was ended by SIGKILL.', ...report.trimEnd().split('\n')],
    })
    expect(killed).not.toHaveProperty('hung')
    expect(killed).not.toHaveProperty('counts')
  })
})

test('a run in a line', () => {
  const counts = { executed: 3, failed: 1, skipped: 2 }
  expect(testRunText(run('failed', counts))).toMatch(/^npm test failed: 3 executed, 1 failed, 2 skipped \(/)
  expect(testRunText(run('none'))).toMatch(/^npm test no tests \(/)
  expect(testRunText({ ...run('cannot-run'), hung: true })).toMatch(/^npm test did not end in its time \(/)
})

test('what two runs named is held against each other where they named anything', () => {
  const units = unitsIn('ok 1 - one\n# tests 1\n') ?? ''
  const named = { ...run('passed'), units }
  expect(unitsOf(named, named).before?.has('one')).toBe(true)
  expect(unitsOf(named, named).now?.has('one')).toBe(true)
  expect(Object.keys(unitsOf(null, named))).toEqual(['now'])
  expect(Object.keys(unitsOf(named, run('passed')))).toEqual(['before'])
})

describe('what runners name', () => {
  test.each([
    ['node --test, TAP', 'ok 1 - a b \\# c # SKIP\n    not ok 2 - d\n# tests 2\n', ['a b # c', 'd']],
    ['node --test, spec', '✔ a (0.5ms)\n  ✖ b (1ms)\n﹣ c (0.1ms) # SKIP\nℹ tests 3\n', ['a', 'b', 'c']],
    ['mocha', '  one\n    ✔ a\n    ✓ b (12ms)\n    1) c\n  2 passing (10ms)\n', ['a', 'b', 'c']],
    [
      'vitest',
      ' ✓ test/a.test.ts (2 tests) 5ms\n   ✓ slow one 400ms\n Test Files  1 passed (1)\n',
      ['test/a.test.ts'],
    ],
    [
      'jest',
      'PASS src/a.test.js\nFAIL src/b.test.js (5 s)\nTests:       1 failed, 5 passed, 6 total\n',
      ['src/a.test.js', 'src/b.test.js'],
    ],
    ['pytest', 'tests/test_a.py ..F [ 50%]\n==== 1 failed, 3 passed in 0.12s ====\n', ['tests/test_a.py']],
    ['cargo', 'test tests::adds ... ok\ntest result: ok. 1 passed; 0 failed\n', ['adds']],
    ['go test -v', '--- PASS: TestA (0.00s)\n    --- PASS: TestA/sub (0.00s)\n', ['TestA']],
  ])('%s', (_name, text, names) => {
    const units = unitsIn(text) ?? ''
    expect(units).toHaveLength(8 * names.length)
    for (const name of names) expect(openUnits(units).has(name)).toBe(true)
  })

  test('nothing is made up, and what is too much is not kept', () => {
    expect(unitsIn('ok 1 - a\n')).toBeUndefined()
    const many = Array.from({ length: 2_001 }, (_, at) => `ok ${at} - ${at}\n`).join('')
    expect(unitsIn(`${many}# tests 2001\n`)).toBeUndefined()
    const cut = { ...ended, stdout: 'ok 1 - a\n# tests 1\n', truncated: true }
    expect(readTestRun('npm test', cut, 5).units).toBeUndefined()
  })
})

test('a run that reports failures has failed, with whatever code it ends', () => {
  const stdout = '# tests 2\n# pass 1\n# fail 1\n'
  expect(readTestRun('npm test', { ...ended, stdout }, 5).outcome).toBe('failed')
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
  expect(isWorse(run('failed'), run('cannot-run'))).toBe(true)
  const hung = { ...run('cannot-run'), hung: true as const }
  expect([isWorse(run('cannot-run'), hung), isWorse(hung, hung)]).toEqual([true, false])
  const red = (failed: number) => run('failed', { executed: 9, failed, skipped: 0 })
  expect(isWorse(red(2), red(2))).toBe(false)
  expect(isWorse(red(2), red(3))).toBe(true)
  expect(isWorse(red(2), run('passed'))).toBe(false)
  // That there are no tests is nothing new to a phase that began without a run, and says nothing after a red one.
  expect([isWorse(undefined, run('none')), isWorse(run('passed'), run('none'))]).toEqual([false, true])
  expect(isWorse(red(2), run('none'))).toBe(false)
})
