import { counted } from '../../../counted.js'
import { exactText } from '../../../durations.js'
import type { CommandResult } from '../../../processes/commands.js'
import { withoutColours } from '../../../without-colours.js'
import { openUnits, type Units, unitsIn } from './executed-tests.js'
import { type TestCounts, testCounts } from './test-counts.js'

// What a run of the project's tests came to (docs/evidence.md, "Tests"). Pure.

export interface TestRun {
  /** As it would be typed. */
  command: string
  /** `none`: there was nothing to run. `cannot-run`: it did not start or did not end. */
  outcome: 'passed' | 'failed' | 'none' | 'cannot-run'
  /** Where the runner reports them. */
  counts?: TestCounts | undefined
  /** Which tests it names, as `unitsIn` has them; absent where it names none. */
  units?: string | undefined
  /** It did not end in its time. */
  hung?: true | undefined
  durationMs: number
  /** The end of its output, or why it did not run. */
  tail: string[]
}

const tailLines = 40
const tailCharacters = 6_000

export function readTestRun(command: string, result: CommandResult, durationMs: number): TestRun {
  const text = withoutColours(`${result.stdout}\n${result.stderr}`)
  const tail = text.trimEnd().split('\n').slice(-tailLines).join('\n').slice(-tailCharacters).split('\n')
  if (result.missing)
    return { command, outcome: 'cannot-run', durationMs, tail: ['The program was not found.'] }
  if (result.timedOut || result.code === null) {
    const seconds = Math.round(durationMs / 1000)
    const why = result.timedOut
      ? `It did not end within ${counted(seconds, 'second')}, and was ended.`
      : `It was ended by ${result.signal ?? 'a stop'}.`
    const hung = result.timedOut ? { hung: true as const } : {}
    return { command, outcome: 'cannot-run', ...hung, durationMs, tail: [why, ...tail] }
  }
  const counts = testCounts(text)
  const units = result.truncated ? undefined : unitsIn(text)
  return {
    command,
    outcome: outcomeOf(text, result.code, counts),
    ...(counts ? { counts } : {}),
    ...(units === undefined ? {} : { units }),
    durationMs,
    tail,
  }
}

/** A run that reports failures has failed, with whatever code it ends. */
function outcomeOf(text: string, code: number, counts: TestCounts | undefined): TestRun['outcome'] {
  if (code === 0) return (counts?.failed ?? 0) > 0 ? 'failed' : 'passed'
  return hasNoTests(text, code) ? 'none' : 'failed'
}

/** What two runs have named, to be held against the files. */
export function unitsOf(
  before: TestRun | null | undefined,
  now: TestRun | null,
): { before?: Units; now?: Units } {
  return {
    ...(before?.units === undefined ? {} : { before: openUnits(before.units) }),
    ...(now?.units === undefined ? {} : { now: openUnits(now.units) }),
  }
}

function hasNoTests(text: string, code: number): boolean {
  return (
    code === 5 ||
    /^(?:no test files found|no tests found|no tests ran|ran 0 tests|no tests to run)/im.test(text)
  )
}

/** What is told of a run in one line. */
export function testRunText({ command, outcome, counts, durationMs, hung }: TestRun): string {
  const words = { passed: 'passed', failed: 'failed', none: 'no tests', 'cannot-run': 'could not run' }
  const word = hung ? 'did not end in its time' : words[outcome]
  const numbers = counts
    ? `: ${counts.executed} executed, ${counts.failed} failed, ${counts.skipped} skipped`
    : ''
  return `${command} ${word}${numbers} (${exactText(durationMs)})`
}

/**
 * Fewer executed or more skipped than before, or nothing reported any more; empty where nothing was reported before. `of`:
 * what began then.
 */
export function fewerTests(
  before: TestRun | undefined,
  now: TestRun,
  of: 'phase' | 'step' = 'phase',
): string[] {
  const [old, fresh] = [before?.counts, now.counts]
  if (!old) return []
  if (!fresh) {
    // Who ends the run from inside takes its report along. A red run or none has questions of its own.
    const silent = now.outcome === 'passed' && old.executed > 0
    const began = `${counted(old.executed, 'test was', 'tests were')} executed at the start of the ${of}`
    return silent ? [`${began}; the run now ends well and reports none.`] : []
  }
  return [
    ...(fresh.executed < old.executed
      ? [
          `${counted(fresh.executed, 'test was', 'tests were')} executed, ${old.executed} at the start of the ${of}.`,
        ]
      : []),
    ...(fresh.skipped > old.skipped
      ? [
          `${counted(fresh.skipped, 'test was', 'tests were')} skipped, ${old.skipped} at the start of the ${of}.`,
        ]
      : []),
  ]
}

/**
 * Whether a run is worse than the one at the start of the phase: red where it was not, or redder. What could not run
 * then and cannot now says nothing about the work.
 */
export function isWorse(before: TestRun | undefined, now: TestRun): boolean {
  if (now.outcome === 'passed') return false
  if (before === undefined || before.outcome === 'passed')
    return now.outcome !== 'none' || before !== undefined
  // It ran before, however red, and says nothing any more.
  if (now.outcome === 'cannot-run')
    return before.outcome !== 'cannot-run' || (now.hung === true && !before.hung)
  if (now.outcome !== 'failed') return false
  if (before.outcome !== 'failed') return true
  return (now.counts?.failed ?? 0) > (before.counts?.failed ?? 0)
}
