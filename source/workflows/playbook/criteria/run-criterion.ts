import { type Expectation, expectedOf } from '../../../documents/playbook-criterion.js'
import type { CommandReport, OrderCriterion, ProjectCommands } from '../orders/fields.js'
import type { Category } from '../taxonomy.js'
import { evaluate, exitOf, type ShellResult } from './evaluate.js'
import { atRoot, expandCommand } from './expand.js'
import { type CommandPlace, refusalOf } from './refusal.js'

// A criterion is decided by its commands, and by nobody's word.

/** Seconds for a command of a criterion; those of the project have their own. */
export const criterionTimeoutMs = 60_000
/** Bytes of output that are kept while a command runs. */
export const outputCapBytes = 1024 * 1024
const storedOutput = 200
const storedErrors = 500

/** Runs a line in a shell, without input, in a group that is ended when the time is up. */
export type RunShell = (
  command: string,
  limits: { timeoutMs: number; outputCap: number },
) => Promise<ShellResult>

export interface CommandSetting {
  run: RunShell
  /** Absolute path of the directory that commands run in. */
  root: string
  home?: string
  commands: ProjectCommands
  /** Whether an absolute path is there. */
  exists(path: string): boolean
  /** Whether a path relative to the root, or something below it, is part of the work that a check looks at. */
  isWork?(path: string): boolean
  /** Other roots of the same project, such as that of which this is a work tree. */
  elsewhere?: readonly string[]
  /** Milliseconds for the commands of the project. */
  projectTimeoutMs: number
}

export interface CommandRun {
  /** As it was run. */
  command: string
  exitCode: number | null
  /** Begin of what it printed, and of its errors. */
  output: string
  errors: string
  assessment: 'pass' | 'fail' | 'timeout' | 'violation'
  /** Why it did not pass, or something to be told once. */
  reason?: string
}

/**
 * `n/a`: the project has no such command, which passes and enters no ratio. `unproven`: no command decides; it counts as
 * passed nowhere.
 */
export type CriterionStatus = 'pass' | 'fail' | 'n/a' | 'unproven'

export interface CriterionOutcome {
  criterion: OrderCriterion
  status: CriterionStatus
  runs: CommandRun[]
  /** Of a failure. */
  category?: Category
}

/** Runs all commands of a criterion. One that failed does not keep the others from being run. */
export async function runCriterion(
  criterion: OrderCriterion,
  setting: CommandSetting,
): Promise<CriterionOutcome> {
  const expanded = criterion.commands.map((command) => expandCommand(command, setting.commands))
  if (criterion.commands.length === 0 || criterion.kind === 'behavioral') {
    return { criterion, status: 'unproven', runs: [] }
  }
  const runs: CommandRun[] = []
  for (const [index, one] of expanded.entries()) {
    if (one.kind === 'n/a') continue
    const written = criterion.commands[index] ?? ''
    if (one.kind === 'unknown')
      runs.push(refused(written, `there is no command of the project called ${one.name}`))
    else runs.push(await runOne(one.command, expectedOf(criterion, index), setting))
  }
  if (runs.length === 0) return { criterion, status: 'n/a', runs }
  const failed = runs.find(({ assessment }) => assessment !== 'pass')
  // A refused command decides even where nothing else could be decided by it.
  if (criterion.expectation === null && failed?.assessment !== 'violation') {
    return { criterion, status: 'unproven', runs }
  }
  if (failed === undefined) return { criterion, status: 'pass', runs }
  return { criterion, status: 'fail', runs, category: categoryOf(failed) }
}

async function runOne(
  expanded: string,
  expectation: Expectation | null,
  setting: CommandSetting,
): Promise<CommandRun> {
  const { command, note } = atRoot(expanded, setting.exists, setting.elsewhere)
  const why = refusalOf(command, placeOf(setting))
  if (why !== undefined) return refused(command, why)
  const result = await setting.run(eachLine(command, expectation), {
    timeoutMs: isProjectCommand(command, setting.commands) ? setting.projectTimeoutMs : criterionTimeoutMs,
    outputCap: outputCapBytes,
  })
  const { passed, exit, reason } =
    expectation === null
      ? { passed: true, exit: exitOf(result), reason: undefined }
      : evaluate(command, expectation, result)
  const told = [reason, note].filter((text) => text !== undefined).join('; ')
  return {
    command,
    exitCode: exit,
    ...stored(result),
    assessment: result.timedOut ? 'timeout' : passed && !result.missing ? 'pass' : 'fail',
    ...(told === '' ? {} : { reason: told }),
  }
}

/** A script that looks itself at how its lines came out. */
const looksItself = /\$\?|=["']?(?:\$\(|`)|^\s*(?:if|for|while|until|case|function)\b|<<|\b(?:trap|set)\s/m

/** Of plain commands below each other each has to succeed, and not the last one alone. */
function eachLine(command: string, expectation: Expectation | null): string {
  const isPlain = command.includes('\n') && !looksItself.test(command)
  return isPlain && expectation?.op === 'exit' && expectation.value === 0 ? `set -e\n${command}` : command
}

export function placeOf({
  root,
  home,
  isWork,
}: Pick<CommandSetting, 'root' | 'home' | 'isWork'>): CommandPlace {
  return { root, ...(home === undefined ? {} : { home }), ...(isWork === undefined ? {} : { isWork }) }
}

/** True for a line that runs one of the project's own commands. */
function isProjectCommand(command: string, commands: ProjectCommands): boolean {
  return Object.values(commands).some((own) => own !== null && command.includes(own))
}

export function stored({ stdout, stderr }: Pick<ShellResult, 'stdout' | 'stderr'>): {
  output: string
  errors: string
} {
  return { output: cut(stdout.trim(), storedOutput), errors: cut(stderr.trim(), storedErrors) }
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length)
}

function refused(command: string, reason: string): CommandRun {
  return { command, exitCode: null, output: '', errors: '', assessment: 'violation', reason }
}

function categoryOf(run: CommandRun): Category {
  return run.assessment === 'fail' && run.exitCode !== null ? 'acceptance_criteria_unmet' : 'tool_failure'
}

/** How a criterion is told in an order: each of its runs. */
export function reportsOf(outcomes: readonly CriterionOutcome[]): CommandReport[] {
  return outcomes.flatMap(({ criterion, runs }) =>
    runs.map(({ command, exitCode, output, errors, assessment, reason }) => ({
      criterion: criterion.id,
      command,
      exitCode,
      output: [output, errors, reason].filter((text) => text !== undefined && text !== '').join('\n'),
      assessment,
    })),
  )
}

/** A criterion in one line, as issues and logs tell it. */
export function outcomeText({ criterion, status, runs }: CriterionOutcome): string {
  const why = runs.find(({ assessment }) => assessment !== 'pass')
  const reason = why === undefined ? '' : ` (${why.command}: ${why.reason ?? why.assessment})`
  return `${criterion.id} ${status}: ${criterion.text}${reason}`
}

/**
 * How many of the criteria passed, of those that are not n/a. What no command decides counts as not passed. Undefined
 * where there is nothing to count.
 */
export function passRatio(outcomes: readonly CriterionOutcome[]): number | undefined {
  const counted = outcomes.filter(({ status }) => status !== 'n/a')
  if (counted.length === 0) return undefined
  return counted.filter(({ status }) => status === 'pass').length / counted.length
}
