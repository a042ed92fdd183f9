import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileExists } from '../../project/text-files.js'
import { testLimitMs } from '../evidence/claims/run-tests.js'
import { readTestRun, type TestRun } from '../evidence/claims/test-run.js'
import type { ShellResult } from './criteria/evaluate.js'
import {
  type CommandSetting,
  type CriterionOutcome,
  criterionTimeoutMs,
  outputCapBytes,
  runCriterion,
  stored,
} from './criteria/run-criterion.js'
import { readTestSpec, type TestSpecOutcome, testSpecCommand, testSpecPath } from './criteria/test-spec.js'
import { writesFiles } from './criteria/written-files.js'
import type { CommandReport, OrderCriterion } from './orders/fields.js'
import { usualTimeoutSec } from './settings.js'
import { phaseOf } from './state/phases.js'
import type { CheckOutcome, PlaybookState } from './state/schema.js'
import type { PhaseWork } from './work.js'

// Commands that the program runs itself, each a recorded step: what has ended is never run again.

export const checkNames = ['compile', 'lint', 'build', 'test'] as const
export type CheckName = (typeof checkNames)[number]

/** What a command of the project came to; `n/a` where it has none. */
export interface ProjectCheck {
  status: Exclude<CheckOutcome, null>
  report: CommandReport | null
  /** Of the tests: how many were executed, where they say so. */
  tests?: TestRun
}
export type ProjectChecks = Record<CheckName, ProjectCheck>

/** One command of the project. `key` is unique in the pass. */
export function projectCheck(work: PhaseWork, key: string, name: CheckName): Promise<ProjectCheck> {
  return work.run.step(`${work.at}${key}-${name}`, async (): Promise<ProjectCheck> => {
    const { tools } = work
    const command = tools.commands()[name]
    if (command === null) return { status: 'n/a', report: null }
    const timeoutMs = name === 'test' ? testTimeoutMs(work) : tools.settings.projectCommandTimeoutSec * 1000
    const began = tools.now().getTime()
    const result = await shell(work, command, { timeoutMs, outputCap: outputCapBytes })
    const report = reportOf(command, result)
    const check = { status: report.assessment === 'pass', report }
    if (name !== 'test') return check
    return { ...check, tests: testsOf(command, result, tools.now().getTime() - began) }
  }) as Promise<ProjectCheck>
}

/** One that hangs is over as soon as it cannot be slow any more by what it took before the work; a person's own limit counts. */
function testTimeoutMs({ tools, run, facts }: PhaseWork): number {
  const { projectCommandTimeoutSec } = tools.settings
  const most = projectCommandTimeoutSec * 1000
  const before = testsBefore(run.state, facts.id)
  if (projectCommandTimeoutSec !== usualTimeoutSec || !before?.durationMs) return most
  return Math.min(most, testLimitMs(undefined, before))
}

/** What the tests came to when the phase began, where that is known. */
export function testsBefore(state: PlaybookState, phaseId: string): TestRun | undefined {
  const { tests_before: kept } = phaseOf(state, phaseId)
  return typeof kept === 'object' && kept !== null ? (kept as TestRun) : undefined
}

/** What the tests came to, without their output. */
function testsOf(command: string, result: ShellResult, durationMs: number): TestRun {
  return { ...readTestRun(command, { ...result, signal: null, truncated: false }, durationMs), tail: [] }
}

/** Those of these names, in their order. */
export async function projectChecks(
  work: PhaseWork,
  key: string,
  names: readonly CheckName[] = checkNames,
): Promise<ProjectChecks> {
  const checks = noChecks()
  for (const name of names) checks[name] = await projectCheck(work, key, name)
  return checks
}

export function noChecks(): ProjectChecks {
  const none = (): ProjectCheck => ({ status: 'n/a', report: null })
  return { compile: none(), lint: none(), build: none(), test: none() }
}

export function redChecks(checks: ProjectChecks): CommandReport[] {
  return checkNames.flatMap((name) => (checks[name].status === false ? (checks[name].report ?? []) : []))
}

/** What these criteria come to by their own commands, one step each. */
export async function criteriaOutcomes(
  work: PhaseWork,
  key: string,
  criteria: readonly OrderCriterion[],
): Promise<CriterionOutcome[]> {
  const setting = { ...commandSetting(work), isWork: await workOf(work, criteria) }
  const outcomes: CriterionOutcome[] = []
  for (const criterion of criteria) {
    const at = `${work.at}${key}-${criterion.id}`
    outcomes.push((await work.run.step(at, () => runCriterion(criterion, setting))) as CriterionOutcome)
  }
  return outcomes
}

/**
 * Whether a path, or something below it, is known to git or not committed yet: what a check may not change. Git is asked
 * only where a command writes at all.
 */
async function workOf(
  { git }: PhaseWork,
  criteria: readonly OrderCriterion[],
): Promise<(path: string) => boolean> {
  const writes = criteria.some(({ commands }) => commands.some(writesFiles))
  if (!writes) return () => false
  const head = await git.head()
  const tracked = head === null ? [] : await git.pathsAt(head)
  const paths = [...tracked, ...(await git.dirty()).map(({ path }) => path)]
  return (path) => path === '' || paths.some((one) => one === path || one.startsWith(`${path}/`))
}

function commandSetting(work: PhaseWork): CommandSetting {
  const { tools, cwd } = work
  return {
    run: (command, limits) => shell(work, command, limits),
    root: join(tools.root, cwd ?? '.'),
    home: homedir(),
    commands: tools.commands(),
    exists: existsSync,
    ...(cwd === undefined ? {} : { elsewhere: [tools.root] }),
    projectTimeoutMs: tools.settings.projectCommandTimeoutSec * 1000,
  }
}

/** The test specifications of those of these tasks that have one. */
export async function specOutcomes(
  work: PhaseWork,
  key: string,
  taskIds: readonly string[],
): Promise<TestSpecOutcome[]> {
  const outcomes: TestSpecOutcome[] = []
  for (const taskId of taskIds) {
    const found = await work.run.step(`${work.at}${key}-spec-${taskId}`, () => specOutcome(work, taskId))
    if (found !== null) outcomes.push(found as TestSpecOutcome)
  }
  return outcomes
}

async function specOutcome(work: PhaseWork, taskId: string): Promise<TestSpecOutcome | null> {
  const path = testSpecPath(work.facts.dir, taskId)
  if (!(await fileExists({ root: join(work.tools.root, work.cwd ?? '.') }, path))) return null
  const limits = { timeoutMs: criterionTimeoutMs, outputCap: outputCapBytes }
  return readTestSpec(taskId, path, await shell(work, testSpecCommand(path), limits))
}

/** A test specification as others are told of it. */
export function specReport({
  taskId,
  path,
  exitCode,
  status,
  passed,
  failed,
  reason,
}: TestSpecOutcome): CommandReport {
  return {
    criterion: `test specification of ${taskId}`,
    command: testSpecCommand(path),
    exitCode,
    output: [`${passed.length} passed, ${failed.length} failed`, ...failed, ...(reason ? [reason] : [])].join(
      '\n',
    ),
    assessment: status === 'ALL PASS' ? 'pass' : 'fail',
  }
}

async function shell(
  { tools, run, cwd }: PhaseWork,
  command: string,
  limits: { timeoutMs: number; outputCap: number },
): Promise<ShellResult> {
  const { code, stdout, stderr, timedOut, missing } = await tools.command(['sh', '-c', command], {
    ...limits,
    signal: run.signal,
    isOfProject: true,
    ...(cwd === undefined ? {} : { cwd }),
  })
  return { code, stdout, stderr, timedOut, missing }
}

function reportOf(command: string, result: ShellResult): CommandReport {
  const { output, errors } = stored(result)
  return {
    command,
    exitCode: result.code,
    output: [output, errors].filter((text) => text !== '').join('\n'),
    assessment: result.timedOut ? 'timeout' : result.code === 0 ? 'pass' : 'fail',
  }
}

/** What is red, in one line. */
export function failureText({ criterion, command, exitCode, output, assessment }: CommandReport): string {
  const what = criterion === undefined ? command : `${criterion} (${command})`
  const how = assessment === 'fail' ? `exit ${exitCode ?? 'by a signal'}` : assessment
  const said = output.trim().split('\n').slice(-3).join(' / ')
  return `${what}: ${how}${said === '' ? '' : `: ${said}`}`
}
