import { counted } from '../../../counted.js'
import type { Expectation, NumberExpectation } from '../../../documents/playbook-outcome.js'
import { outerCommands, programWords, simpleCommands } from './shell-commands.js'

// Whether a command shows what it should (docs/playbook-checks.md, "Commands"). Pure.

/** What came of a command. */
export interface ShellResult {
  /** Null where a signal ended it or it did not start. */
  code: number | null
  stdout: string
  stderr: string
  timedOut: boolean
  /** It could not be started at all. */
  missing: boolean
}

export interface Evaluation {
  passed: boolean
  exit: number | null
  /** What a numeric expectation was held against. */
  value?: number
  /** What was wanted and what was there, where they differ. */
  reason?: string
}

const exitLine = /^\s*EXIT:\s*(-?\d+)\s*$/

/** The last exit code that was printed as `EXIT:n`, else that of the process. */
export function exitOf({
  code,
  stdout,
  stderr,
}: Pick<ShellResult, 'code' | 'stdout' | 'stderr'>): number | null {
  const printed =
    stdout.match(/EXIT:\s*(-?\d+)\s*$/gm)?.at(-1) ?? stderr.match(/EXIT:\s*(-?\d+)\s*$/gm)?.at(-1)
  return printed === undefined ? code : Number(/-?\d+/.exec(printed)?.[0])
}

/** Lines of output that say something: no blank ones, and not the one that tells the exit code. */
export function outputLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map(withoutExit)
    .filter((line) => line.trim() !== '' && !exitLine.test(line))
}

/** A line without the exit code that was printed behind it. */
function withoutExit(line: string): string {
  const at = line.lastIndexOf('EXIT:')
  return at > 0 && exitLine.test(line.slice(at)) ? line.slice(0, at) : line
}

const greps = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'zgrep'])

/** Whether the number of a command is a count that it prints. */
function counts(command: string): boolean {
  return simpleCommands(command).some(({ words }) => {
    const [program, ...rest] = programWords(words)
    if (program === 'wc') return true
    const isCount = (word: string) =>
      word === '--count' || word === '--count-matches' || /^-[a-zA-Z]*c/.test(word)
    return program !== undefined && greps.has(program) && rest.some(isCount)
  })
}

/**
 * Whether a match was found by a command that prints nothing and says it by its exit: `grep -q`, `test`. Undefined for any
 * other, and where something was printed.
 */
function foundSilently(command: string, { stdout }: ShellResult, exit: number | null): boolean | undefined {
  if (outputLines(stdout).length > 0) return undefined
  const isTeller = ({ words }: { words: string[] }) => words[0] === 'echo' && /^EXIT:/.test(words[1] ?? '')
  const last = outerCommands(command).findLast((one) => !isTeller(one))
  const [program = '', ...rest] = programWords(last?.words ?? [])
  const isQuiet = rest.some((word) => /^(?:--quiet|--silent|-[a-zA-Z]*q[a-zA-Z]*)$/.test(word))
  if (!(greps.has(program) && isQuiet) && program !== 'test' && program !== '[') return undefined
  if (exit !== 0 && exit !== 1) return undefined
  return (exit === 0) !== (last?.words[0] === '!')
}

/** The number that a command came to. */
export function numberOf(command: string, stdout: string): number {
  const lines = outputLines(stdout)
  const counted = counts(command) ? countIn(lines) : undefined
  if (counted !== undefined) return counted
  const last = lines.at(-1)?.trim() ?? ''
  // A printed 8.4 is 8.4, and no output of one line.
  return /^-?\d+(?:\.\d+)?$/.test(last) ? Number(last) : lines.length
}

/** `7`, `src/a.ts:3` summed over the files, or the lines of wc with their total. */
function countIn(lines: readonly string[]): number | undefined {
  const numbers: number[] = []
  for (const line of lines) {
    const words = line.trim().split(/\s+/)
    const isTotal = words.length > 1 && words.pop() === 'total' && words.every((word) => /^\d+$/.test(word))
    if (isTotal) return Number(words[0])
    const match = /^(?:.*:)?\s*(\d+)\s*$/.exec(line) ?? /^\s*(\d+)\s+\S/.exec(line)
    if (match) numbers.push(Number(match[1]))
  }
  return numbers.length === 0 ? undefined : numbers.reduce((sum, one) => sum + one, 0)
}

/** Holds what came of a command against what was expected. */
export function evaluate(command: string, expectation: Expectation, result: ShellResult): Evaluation {
  const exit = exitOf(result)
  if (result.missing) return { passed: false, exit, reason: 'it could not be started' }
  if (result.timedOut) return { passed: false, exit, reason: 'it did not end in time' }
  switch (expectation.op) {
    case 'exit':
      return said(
        exit === expectation.value,
        { exit },
        `exit ${exit ?? 'by a signal'}, expected ${expectation.value}`,
      )
    case 'exitNot':
      return said(
        exit !== null && exit !== expectation.value,
        { exit },
        exit === null ? 'a signal ended it' : `exit ${exit}, expected another`,
      )
    case 'equals':
    case 'atLeast':
    case 'atMost':
      return numeric(expectation, exit, numberOf(command, result.stdout))
    case 'match':
    case 'noMatch':
      return matched(command, expectation.op, result)
    case 'contains': {
      const has = result.stdout.includes(expectation.value) || result.stderr.includes(expectation.value)
      return said(has, { exit }, `${JSON.stringify(expectation.value)} was not printed`)
    }
  }
}

function matched(command: string, op: 'match' | 'noMatch', result: ShellResult): Evaluation {
  const exit = exitOf(result)
  const silent = foundSilently(command, result, exit)
  if (silent !== undefined) {
    const there = silent ? 'it was found' : 'it was not found'
    return said(silent === (op === 'match'), { exit }, `${there}, by exit ${exit}`)
  }
  const length = found(command, result.stdout)
  if (op === 'match') return said(length > 0, { exit }, 'nothing was printed')
  return said(length === 0, { exit }, `${counted(length, 'line was', 'lines were')} printed, expected none`)
}

/** Lines that were printed; of a command that prints how many there are, that number. */
function found(command: string, stdout: string): number {
  const lines = outputLines(stdout)
  return (counts(command) ? countIn(lines) : undefined) ?? lines.length
}

function numeric(expectation: NumberExpectation, exit: number | null, value: number): Evaluation {
  const wanted = expectation.value
  const { op } = expectation
  const holds = op === 'equals' ? value === wanted : op === 'atLeast' ? value >= wanted : value <= wanted
  const words = op === 'equals' ? `${wanted}` : op === 'atLeast' ? `at least ${wanted}` : `at most ${wanted}`
  const { and } = expectation
  const passed = holds && (and === undefined || value <= and.value)
  const more = and === undefined ? '' : ` and at most ${and.value}`
  return said(passed, { exit, value }, `${value}, expected ${words}${more}`)
}

function said(passed: boolean, facts: { exit: number | null; value?: number }, reason: string): Evaluation {
  return passed ? { passed, ...facts } : { passed, ...facts, reason }
}
