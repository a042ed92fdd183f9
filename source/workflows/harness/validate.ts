import { aboutText } from '../../durations.js'
import { type CommandResult, runCommand } from '../../processes/commands.js'
import { findOnPath } from '../../processes/find-program.js'
import type { SessionTools } from '../tools.js'

// The project's own checks (docs/harness.md, "Validate command").

export interface ValidateIssue {
  check: string
  file?: string | undefined
  message: string
  suggestion?: string | undefined
}

export type ValidateOutcome =
  | { kind: 'pass' }
  | { kind: 'failed'; issues: ValidateIssue[] }
  /** It ran and could not decide, or it did not end: nothing is known about the project. */
  | { kind: 'cannot-run'; reason: string }
  | { kind: 'unavailable'; checks: string[] }
  | { kind: 'not-installed' }

export interface ValidateOptions {
  timeoutMs?: number
  signal?: AbortSignal
  /** Starts the command, guarded and confined as the session has it. Default: with the rights of the user. */
  command?: SessionTools['command']
}

const tenMinutes = 10 * 60_000
const outputCapBytes = 4 * 1024 * 1024
const tailLines = 40
const tailBytes = 8_000

/** Runs the configured command, else `harness validate --json` if it is installed, and says what came of it. */
export async function runValidation(
  root: string,
  configured?: string[],
  options: ValidateOptions = {},
): Promise<ValidateOutcome> {
  const own = configured !== undefined && configured.length > 0
  if (!own && !(await findOnPath('harness'))) return { kind: 'not-installed' }
  const argv = own ? configured : ['harness', 'validate', '--json']
  const timeoutMs = options.timeoutMs ?? tenMinutes
  const limits = {
    timeoutMs,
    outputCap: outputCapBytes,
    ...(options.signal ? { signal: options.signal } : {}),
  }
  const result = options.command
    ? await options.command(argv, { ...limits, isOfProject: true })
    : await runCommand(argv, { cwd: root, ...limits })
  const name = own
    ? argv.map((word) => (/\s/.test(word) || word === '' ? JSON.stringify(word) : word)).join(' ')
    : 'harness validate'
  const unusable = notDecided(result, name, timeoutMs)
  if (unusable) return unusable
  return own ? readOwn(result, name) : readHarness(result)
}

function notDecided(result: CommandResult, name: string, timeoutMs: number): ValidateOutcome | undefined {
  if (result.missing) return { kind: 'cannot-run', reason: `${name}: the program was not found` }
  if (result.timedOut) {
    return { kind: 'cannot-run', reason: `${name} did not end within ${aboutText(timeoutMs)}` }
  }
  if (result.code === null)
    return { kind: 'cannot-run', reason: `${name} was ended by ${result.signal ?? 'a stop'}` }
  return undefined
}

function readOwn(result: CommandResult, name: string): ValidateOutcome {
  if (result.code === 0) return { kind: 'pass' }
  return { kind: 'failed', issues: [{ check: name, message: outputTail(result) }] }
}

function readHarness(result: CommandResult): ValidateOutcome {
  const report = jsonObject(result.stdout)
  switch (result.code) {
    case 0:
      // A report that contradicts its exit code is not believed.
      return report?.valid === false ? { kind: 'failed', issues: issuesOf(report, result) } : { kind: 'pass' }
    case 1:
      return { kind: 'failed', issues: issuesOf(report, result) }
    case 3: {
      const checks = Array.isArray(report?.unavailableChecks) ? report.unavailableChecks.map(labelOf) : []
      return { kind: 'unavailable', checks }
    }
    default:
      return { kind: 'cannot-run', reason: textOf(report?.error) ?? outputTail(result) }
  }
}

function issuesOf(report: Record<string, unknown> | undefined, result: CommandResult): ValidateIssue[] {
  const listed = Array.isArray(report?.issues) ? report.issues : []
  const issues = listed.map(issueOf)
  return issues.length > 0 ? issues : [{ check: 'validate', message: outputTail(result) }]
}

function issueOf(value: unknown): ValidateIssue {
  const issue = isRecord(value) ? value : {}
  return {
    check: textOf(issue.check) ?? 'validate',
    file: textOf(issue.file),
    message: textOf(issue.message) ?? JSON.stringify(value),
    suggestion: textOf(issue.suggestion),
  }
}

function labelOf(value: unknown): string {
  if (typeof value === 'string') return value
  return isRecord(value)
    ? (textOf(value.check) ?? textOf(value.name) ?? JSON.stringify(value))
    : String(value)
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  // Tools print notices before their report: the report is what stands between the outer braces.
  for (const candidate of [text, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)]) {
    try {
      const value: unknown = JSON.parse(candidate)
      if (isRecord(value)) return value
    } catch {
      // The next candidate, or no report at all.
    }
  }
  return undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (isRecord(value)) return textOf(value.message)
  return undefined
}

function outputTail(result: CommandResult): string {
  const output = [result.stdout.trimEnd(), result.stderr.trimEnd()].filter((text) => text !== '').join('\n')
  const tail = output.split('\n').slice(-tailLines).join('\n').slice(-tailBytes)
  return tail === '' ? `ended with ${result.code} and printed nothing` : tail
}

/** What a failed validation found, one line each. */
export function validationGaps(outcome: Extract<ValidateOutcome, { kind: 'failed' }>): string[] {
  return outcome.issues.map((issue) =>
    [
      issue.file ? `${issue.file}:` : '',
      `${issue.check}: ${issue.message}`,
      issue.suggestion ? `(${issue.suggestion})` : '',
    ]
      .filter(Boolean)
      .join(' '),
  )
}

/** Why a validation says nothing about the project. */
export function validationReason(outcome: Exclude<ValidateOutcome, { kind: 'pass' | 'failed' }>): string[] {
  switch (outcome.kind) {
    case 'cannot-run':
      return [`It cannot run here: ${outcome.reason}`]
    case 'unavailable':
      return [`Checks that are not available: ${outcome.checks.join(', ')}`]
    case 'not-installed':
      return ['No `harness` command is installed and the configuration names no validate command.']
  }
}
