import type { Category } from '../taxonomy.js'
import type { ShellResult } from './evaluate.js'
import { exitOf } from './evaluate.js'

// Test specifications of tasks: shell scripts that print a line for each criterion.

/** What a test specification came to. It tells more than any search. */
export interface TestSpecOutcome {
  taskId: string
  path: string
  passed: string[]
  failed: string[]
  exitCode: number | null
  status: 'ALL PASS' | 'FAILED'
  /** Why it failed where no assertion says so. */
  reason?: string
  category?: Category
}

/** The repo-relative path of the test specification of a task. */
export function testSpecPath(phaseDir: string, taskId: string): string {
  return `${phaseDir}/tests/task-${taskId}.sh`
}

/** The line that runs it. */
export function testSpecCommand(path: string): string {
  return `bash '${path.replaceAll("'", "'\\''")}' 2>&1`
}

/** Reads its `PASS: ...` and `FAIL: ...` lines. Words and exit code have to agree, and something has to be asserted. */
export function readTestSpec(taskId: string, path: string, result: ShellResult): TestSpecOutcome {
  const lines = result.stdout.split(/\r?\n/)
  const said = (word: string) =>
    lines.flatMap((line) => {
      const text = line.trim()
      const words = text.startsWith(word) ? text.slice(word.length).trim() : ''
      return words === '' ? [] : [words]
    })
  const [passed, failed] = [said('PASS:'), said('FAIL:')]
  const exitCode = exitOf({
    ...result,
    stdout: lines.filter((line) => !/^\s*(?:PASS|FAIL):/.test(line)).join('\n'),
  })
  const outcome = { taskId, path, passed, failed, exitCode }
  if (result.missing || result.timedOut || exitCode === null) {
    const reason = result.timedOut ? 'it did not end in time' : 'it could not be run'
    return { ...outcome, status: 'FAILED', reason, category: 'tool_failure' }
  }
  const reason = contradiction(passed, failed, exitCode)
  if (failed.length === 0 && reason === undefined) return { ...outcome, status: 'ALL PASS' }
  return {
    ...outcome,
    status: 'FAILED',
    ...(reason === undefined ? {} : { reason }),
    category: 'acceptance_criteria_unmet',
  }
}

function contradiction(passed: string[], failed: string[], exitCode: number): string | undefined {
  if (passed.length + failed.length === 0)
    return exitCode === 0 ? 'it asserts nothing' : `it ended with ${exitCode} before it asserted anything`
  if (failed.length === 0 && exitCode !== 0) return `no assertion failed and it ended with ${exitCode}`
  return failed.length > 0 && exitCode === 0 ? 'an assertion failed and it ended with 0' : undefined
}

/** Figures of all test specifications of a phase. */
export function testCoverage(
  outcomes: readonly TestSpecOutcome[],
  tasks: number,
): { tasks_with_tests: number; tasks_total: number; assertions_passed: number; assertions_total: number } {
  const passed = outcomes.reduce((sum, one) => sum + one.passed.length, 0)
  const failed = outcomes.reduce((sum, one) => sum + one.failed.length, 0)
  return {
    tasks_with_tests: outcomes.length,
    tasks_total: tasks,
    assertions_passed: passed,
    assertions_total: passed + failed,
  }
}
