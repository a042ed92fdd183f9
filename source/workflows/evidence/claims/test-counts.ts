// What runners of tests report as numbers (docs/evidence.md, "Tests"). By text. Pure; linear in the text.

export interface TestCounts {
  executed: number
  failed: number
  skipped: number
}

/** Counts of a run as its runner reports them; summed where several report. Undefined where none does. */
export function testCounts(text: string): TestCounts | undefined {
  const found = readers.flatMap((read) => read(text) ?? [])
  if (found.length === 0) return undefined
  return found.reduce((sum, one) => ({
    executed: sum.executed + one.executed,
    failed: sum.failed + one.failed,
    skipped: sum.skipped + one.skipped,
  }))
}

type Reader = (text: string) => TestCounts | undefined

const total = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1] ?? 0), 0)

const nodeTest: Reader = (text) => {
  if (!/^[#ℹ] tests \d+$/m.test(text)) return undefined
  const of = (word: string) => total(text, new RegExp(`^[#ℹ] ${word} (\\d+)$`, 'gm'))
  const failed = of('fail') + of('cancelled')
  return { executed: of('pass') + failed, failed, skipped: of('skipped') + of('todo') }
}

/** `===== 1 failed, 3 passed, 2 skipped in 0.12s =====`, or the same without the signs with `-q`. */
const pytest: Reader = (text) =>
  words(
    text,
    /^[= ]{0,120}\d{1,9} (?:passed|failed|skipped|errors?)\b[^\n]{0,200} in [\d.]{1,12}s[^\n]{0,120}$/gm,
    {
      passed: '(?:passed|xpassed)',
      failed: '(?:failed|errors?)',
      skipped: '(?:skipped|deselected|xfailed)',
    },
  )

const unittest: Reader = (text) => {
  if (!/^Ran \d+ tests? in /m.test(text)) return undefined
  const skipped = total(text, /\bskipped=(\d+)/g)
  const failed = total(text, /\b(?:failures|errors)=(\d+)/g)
  return { executed: total(text, /^Ran (\d+) tests? in /gm) - skipped, failed, skipped }
}

const mocha: Reader = (text) => {
  if (!/^ {0,8}\d+ passing\b/m.test(text)) return undefined
  const of = (word: string) => total(text, new RegExp(`^ {0,8}(\\d+) ${word}\\b`, 'gm'))
  const failed = of('failing')
  return { executed: of('passing') + failed, failed, skipped: of('pending') }
}

const goTest: Reader = (text) => {
  const of = (word: string) => (text.match(new RegExp(`^ {0,40}--- ${word}: `, 'gm')) ?? []).length
  const [passed, failed, skipped] = [of('PASS'), of('FAIL'), of('SKIP')]
  if (passed + failed + skipped > 0) return { executed: passed + failed, failed, skipped }
  // Without -v it tells packages alone.
  const packages = text.match(/^(?:ok {2}|FAIL)\t\S[^\n]{0,400}$/gm) ?? []
  const ran = packages.filter((line) => !line.includes('[no tests to run]'))
  if (ran.length === 0) return undefined
  return { executed: ran.length, failed: ran.filter((line) => line.startsWith('FAIL')).length, skipped: 0 }
}

/** Lines of TAP alone, as bats and prove print them; node --test has a summary of its own. */
const tap: Reader = (text) => {
  if (!/^1\.\.\d+/m.test(text) || /^# tests \d+$/m.test(text)) return undefined
  const lines = text.match(/^(?:not )?ok \d[^\n]{0,300}$/gm) ?? []
  const skipped = lines.filter((line) => /# (?:skip|todo)\b/i.test(line)).length
  const failed = lines.filter((line) => line.startsWith('not ') && !/# todo\b/i.test(line)).length
  return { executed: lines.length - skipped, failed, skipped }
}

/** XCTest tells each suite and those around it: the largest number is all. */
const xcTest: Reader = (text) => {
  const runs = [
    ...text.matchAll(/\bExecuted (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+) failures?\b/g),
  ].map(([, all, skipped = 0, failed]) => ({
    executed: Number(all) - Number(skipped),
    failed: Number(failed),
    skipped: Number(skipped),
  }))
  return runs.sort((a, b) => b.executed + b.skipped - a.executed - a.skipped)[0]
}

const googleTest: Reader = (text) => {
  const pattern = /^\[={4,20}\] (\d+) tests? from \d+ test (?:suites?|cases?) ran/gm
  if (text.match(pattern) === null) return undefined
  const skipped = total(text, /^\[ {1,4}SKIPPED {0,4}\] (\d+) tests?, listed/gm)
  const failed = total(text, /^\[ {1,4}FAILED {1,4}\] (\d+) tests?, listed/gm)
  const disabled = total(text, /^ {0,8}YOU HAVE (\d+) DISABLED TESTS?/gm)
  return { executed: total(text, pattern) - skipped, failed, skipped: skipped + disabled }
}

/** The line is written anew with each test. */
const dart: Reader = (text) => {
  const pattern =
    /^\d\d:\d\d \+(\d{1,9})(?: ~(\d{1,9}))?(?: -(\d{1,9}))?: (?:All tests passed!|Some tests failed\.)/gm
  const last = [...text.matchAll(pattern)].at(-1)
  if (last === undefined) return undefined
  const failed = Number(last[3] ?? 0)
  return { executed: Number(last[1]) + failed, failed, skipped: Number(last[2] ?? 0) }
}

interface Names {
  /** Absent where `all` tells how many there are. */
  passed?: string
  failed: string
  skipped: string
  /** How many there are, those skipped among them. */
  all?: string
}

/** Numbers before words (`3 passed`), in the lines of a report. */
function words(text: string, lines: RegExp, names: Names): TestCounts | undefined {
  return counted(text, lines, names, (word) => new RegExp(`\\b(\\d{1,9}) ${word}\\b`, 'g'))
}

/** Words before numbers (`Passed: 3`). */
function fields(text: string, lines: RegExp, names: Names): TestCounts | undefined {
  return counted(text, lines, names, (word) => new RegExp(`\\b${word}:? {1,12}(\\d{1,9})\\b`, 'g'))
}

function counted(
  text: string,
  lines: RegExp,
  names: Names,
  patternOf: (word: string) => RegExp,
): TestCounts | undefined {
  const found = text.match(lines)?.join('\n')
  if (found === undefined) return undefined
  const of = (word: string) => total(found, patternOf(word))
  const [failed, skipped] = [of(names.failed), of(names.skipped)]
  const executed = names.all === undefined ? of(names.passed ?? '') + failed : of(names.all) - skipped
  return { executed, failed, skipped }
}

const readers: readonly Reader[] = [
  nodeTest,
  pytest,
  unittest,
  mocha,
  goTest,
  tap,
  xcTest,
  googleTest,
  dart,
  // vitest, jest and pest: ` Tests  1 failed | 5 passed | 2 skipped (8)`, `Tests:  1 failed, 5 passed, 6 total`
  (text) =>
    words(text, /^ {0,12}Tests:? {1,12}\d{1,9} (?![^\n]{0,200}Assertions:)[^\n]{0,200}$/gm, {
      passed: 'passed',
      failed: 'failed',
      skipped: '(?:skipped|todo|todos|incomplete)',
    }),
  // cargo
  (text) =>
    words(text, /^test result: [^\n]{0,300}$/gm, { passed: 'passed', failed: 'failed', skipped: 'ignored' }),
  // cargo nextest
  (text) =>
    words(text, /^ {0,12}Summary \[[^\]\n]{1,40}\] {1,8}\d{1,9} tests? run:[^\n]{0,200}$/gm, {
      passed: 'passed',
      failed: '(?:failed|timed out)',
      skipped: 'skipped',
    }),
  // rspec and its like
  (text) =>
    words(text, /^\d{1,9} examples?, \d{1,9} failures?\b[^\n]{0,120}$/gm, {
      all: 'examples?',
      failed: 'failures?',
      skipped: 'pending',
    }),
  // minitest, test-unit
  (text) =>
    words(text, /^\d{1,9} (?:runs|tests), \d{1,9} assertions, [^\n]{1,200}$/gm, {
      all: '(?:runs|tests)',
      failed: '(?:failures|errors)',
      skipped: '(?:skips|pendings|omissions)',
    }),
  // jasmine
  (text) =>
    words(text, /^\d{1,9} specs?, \d{1,9} failures?\b[^\n]{0,120}$/gm, {
      all: 'specs?(?=,)',
      failed: 'failures?',
      skipped: 'pending specs?',
    }),
  // phpunit
  (text) => words(text, /^OK \(\d{1,9} tests?, /gm, { all: 'tests?', failed: 'failed', skipped: 'skipped' }),
  (text) =>
    fields(text, /^Tests: \d{1,9}, Assertions: \d[^\n]{0,200}$/gm, {
      all: 'Tests',
      failed: '(?:Failures|Errors)',
      skipped: '(?:Skipped|Incomplete)',
    }),
  // maven; each class has a line that goes on with its time
  (text) =>
    fields(
      text,
      /^(?:\[[A-Z]{1,10}\] )?Tests run: \d{1,9}, Failures: \d{1,9}, Errors: \d{1,9}, Skipped: \d{1,9}$/gm,
      { all: 'Tests run', failed: '(?:Failures|Errors)', skipped: 'Skipped' },
    ),
  // gradle, where it tells them
  (text) =>
    words(text, /^\d{1,9} tests? completed\b[^\n]{0,80}$/gm, {
      all: 'tests? completed',
      failed: 'failed',
      skipped: 'skipped',
    }),
  // dotnet
  (text) =>
    fields(text, /^ {0,8}(?:Passed|Failed|Skipped)! {1,4}- Failed:[^\n]{1,200}$/gm, {
      passed: 'Passed',
      failed: 'Failed',
      skipped: 'Skipped',
    }),
  (text) =>
    fields(text, /^ {0,8}Test summary: total: [^\n]{1,200}$/gm, {
      passed: 'succeeded',
      failed: 'failed',
      skipped: 'skipped',
    }),
  // exunit
  (text) =>
    words(
      text,
      /^(?:\d{1,9} (?:doctests?|properties|property), ){0,2}\d{1,9} tests?, \d{1,9} failures?\b(?! {0,2}\()[^\n]{0,120}$/gm,
      {
        all: '(?:tests?|doctests?|properties|property)',
        failed: 'failures?',
        skipped: '(?:skipped|excluded)',
      },
    ),
  // ctest
  (text) =>
    words(
      text.replace(/ out of (\d{1,9})$/gm, ', $1 tests in all'),
      /^\d{1,3}% tests passed, [^\n]{1,120}$/gm,
      {
        all: 'tests in all',
        failed: 'tests? failed',
        skipped: 'skipped',
      },
    ),
  // Catch2, doctest
  (text) =>
    words(text, /^(?:\[doctest\] )?test cases: {1,8}\d[^\n]{0,200}$/gm, {
      passed: 'passed',
      failed: 'failed',
      skipped: 'skipped',
    }),
  (text) =>
    words(text, /^All tests passed \(\d{1,9} assertions? in \d{1,9} test cases?\)/gm, {
      all: 'test cases?',
      failed: 'failed',
      skipped: 'skipped',
    }),
  // deno
  (text) =>
    words(text, /^(?:ok|FAILED) \| \d{1,9} passed\b[^\n]{0,120}$/gm, {
      passed: 'passed',
      failed: 'failed',
      skipped: 'ignored',
    }),
  // bun
  (text) =>
    words(text, /^ {0,4}\d{1,9} (?:pass|fail|skip|todo)$/gm, {
      passed: 'pass',
      failed: 'fail',
      skipped: '(?:skip|todo)',
    }),
  // ava
  (text) =>
    words(text, /^ {0,4}\d{1,9} tests? (?:passed|failed|skipped|todo)$/gm, {
      passed: 'tests? passed',
      failed: 'tests? failed',
      skipped: 'tests? (?:skipped|todo)',
    }),
  // playwright
  (text) =>
    /^ {0,4}\d{1,9} passed \([\d.]{1,12}m?s\)$/m.test(text)
      ? words(text, /^ {0,4}\d{1,9} (?:passed \([^\n]{1,20}\)|flaky|failed|skipped|did not run)$/gm, {
          passed: '(?:passed|flaky)',
          failed: 'failed',
          skipped: '(?:skipped|did not run)',
        })
      : undefined,
  // scalatest
  (text) =>
    fields(text, /^(?:\[[a-z]{1,10}\] )?Tests: succeeded \d[^\n]{0,200}$/gm, {
      passed: 'succeeded',
      failed: 'failed',
      skipped: '(?:canceled|ignored|pending)',
    }),
  // terraform
  (text) =>
    words(text, /^(?:Success|Failure)! \d{1,9} passed, [^\n]{1,120}$/gm, {
      passed: 'passed',
      failed: 'failed',
      skipped: 'skipped',
    }),
]
