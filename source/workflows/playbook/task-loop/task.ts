import { counted } from '../../../counted.js'
import type { Badge } from '../../evidence/badges.js'
import { type CheckName, noChecks, projectCheck, specReport } from '../checks.js'
import { testCoverage } from '../criteria/test-spec.js'
import { ownFailure } from '../decisions/against-itself.js'
import { checkpointTag } from '../decisions/rollback.js'
import { pathLine } from '../integrity/facts.js'
import { remediationSubject, taskSubject } from '../orders/commit-subject.js'
import type { CommandReport, HandoffFacts } from '../orders/fields.js'
import type { Pass } from '../pass.js'
import { orderTask, type PhasePlan, type PlanTask } from '../plans.js'
import { type TaskPlace, taskBegins, taskSays } from '../progress.js'
import type { ExecutionResult } from '../results.js'
import { type Sent, send } from '../send.js'
import { withStep } from '../state/phases.js'
import { note } from '../steps/failure.js'
import { savePhase } from '../work.js'
import { takeWork } from './commits.js'
import { type Fixed, fixTask } from './fix.js'
import { handoffOf } from './handoff.js'
import { settleLeftChanges } from './leftovers.js'
import { type LogEntry, logPathOf, logTask } from './log.js'
import { type MiniVerdict, miniVerify } from './mini-verify.js'
import { revertTask } from './revert-task.js'

// One task: tagged, done by an executor, verified by somebody else, mended at most twice, on record at once.

export interface TaskSetting {
  pass: Pass
  plan: PhasePlan
  /** How the project compiled before the first task. */
  baseline: CommandReport | null
}

export type TaskEnd = 'completed' | 'failed' | 'exhausted'

/** Runs one task to its end. `exhausted`: the context of two conversations was not enough. */
export async function runTask(setting: TaskSetting, task: PlanTask, place: TaskPlace): Promise<TaskEnd> {
  const { pass } = setting
  const { facts, run, at, git } = pass
  await taskBegins(pass, place, task.title)
  const before = await run.step(`${at}${task.id}-tag`, async () => {
    const head = (await git.head()) ?? ''
    await git.setTag(checkpointTag(facts.id, task.id), head)
    return head
  })
  const subject = subjectOf(pass, task)
  const sent = await execute(setting, task, subject)
  const written = await takeWork(pass, `${task.id}-work`, before, subject)
  if (!sent.ok && sent.error === 'context') {
    const commit = written.commits.at(-1)?.sha ?? null
    await ended(pass, task, { status: 'failed', commit, badges: [] })
    return 'exhausted'
  }
  for (const [index, path] of written.files.slice(0, 20).entries())
    await taskSays(pass, `${task.id}-modified-${index}`, task.id, `modifying ${path}`)
  const told = sent.ok ? sent.result : undefined
  if (told) takeEvidence(pass, told)
  const first: MiniVerdict = sent.ok
    ? held(await miniVerify(pass, `${task.id}-check`, task, written.files), ownFailure(sent.result))
    : failedDispatch(sent.message)
  await sayGates(pass, task, first)
  if (written.commits.length > 1)
    pass.log.issues.push(`task ${task.id}: ${counted(written.commits.length, 'commit')}, one was asked for`)
  return settleTask(pass, task, {
    before,
    head: written.head,
    commits: written.commits.map(({ sha }) => sha),
    files: written.files,
    verdict: first,
    evidence: told?.evidence.flatMap(({ criteria_met: met }) => met) ?? [],
    confidence: told?.confidence ?? null,
  })
}

/** Nobody's word makes a task of one that its own executor calls failed: it is looked at by a debugger first. */
export function held(verdict: MiniVerdict, failure: string | undefined): MiniVerdict {
  return failure === undefined || !verdict.passed
    ? verdict
    : { ...verdict, passed: false, failures: [failure] }
}

/** What is known of a task when its executor is through. */
export interface TaskWork {
  before: string
  head: string
  commits: string[]
  files: string[]
  verdict: MiniVerdict
  evidence: string[]
  confidence: number | null
}

/** Mends what is not right, and puts the task on record. */
export async function settleTask(
  pass: Pass,
  task: PlanTask,
  work: TaskWork,
): Promise<'completed' | 'failed'> {
  const fixed = await fixTask(pass, task, work)
  const { verdict } = fixed
  const commits = [...work.commits, ...fixed.commits]
  const reverted = fixed.growing && (await revertTask(pass, task, { before: work.before, commits }))
  const commit = reverted ? null : (commits.at(-1) ?? null)
  await logTask(pass, `${task.id}-log`, entryOf(task, work, fixed, commit))
  if (!verdict.passed) {
    const why = fixed.growing ? 'diff_growing' : verdict.failures.join('; ')
    note(pass, 'execute', { failure: `task ${task.id} FAILED: ${why}`, category: 'executor_incomplete' })
  }
  const status = verdict.passed ? 'completed' : 'failed'
  await ended(pass, task, { status, commit, badges: badgesOf(verdict, commit) })
  const words = verdict.passed ? 'VERIFIED' : `FAILED -- ${verdict.failures[0] ?? 'not verified'}`
  await taskSays(pass, `${task.id}-says-end`, task.id, words)
  return status
}

function entryOf(task: PlanTask, work: TaskWork, fixed: Fixed, commit: string | null): LogEntry {
  const { verdict, attempts, growing } = fixed
  const tests = testCoverage(verdict.specs, 1)
  const shown = verdict.criteria.filter(({ status: held }) => held === 'pass' || held === 'fail')
  const outcome = attempts === 0 ? 'none' : verdict.passed ? 'fixed' : 'open'
  return {
    id: task.id,
    title: task.title,
    status: verdict.passed ? 'COMPLETED' : 'FAILED',
    commit,
    checkpoint: work.before,
    files: fixed.files,
    evidence: work.evidence,
    gates: gatesText(verdict),
    tests: { passed: tests.assertions_passed, total: tests.assertions_total },
    confidence: work.confidence,
    mini: {
      result: verdict.passed ? 'PASS' : 'FAIL',
      checked: shown.length,
      passed: shown.filter(({ status: held }) => held === 'pass').length,
      failures: verdict.failures,
      debugAttempts: attempts,
      fixLoop: attempts === 0 ? 'none' : growing ? 'tripped' : 'active',
      convergence: growing ? 'diff_growing' : outcome,
    },
  }
}

function subjectOf({ facts, input }: Pass, task: PlanTask): string {
  if (input.remediation) return remediationSubject(facts.id, input.remediation.cycle)
  return taskSubject(/\bfix|bug\b/i.test(task.title) ? 'fix' : 'feat', facts.id, task.id)
}

/** The executor; where its context is full, one fresh one for the rest. */
async function execute(setting: TaskSetting, task: PlanTask, subject: string): Promise<Sent<'execution'>> {
  const { pass } = setting
  const first = await sendExecutor(setting, task, subject, undefined)
  if (first.ok || first.error !== 'context') return first
  const handoff = await handoffOf(pass, `${task.id}-handoff`, [task.id])
  await taskSays(pass, `${task.id}-full`, task.id, 'its context is full; a fresh executor takes the rest')
  return sendExecutor(setting, task, subject, handoff)
}

async function sendExecutor(
  { pass, plan, baseline }: TaskSetting,
  task: PlanTask,
  subject: string,
  handoff: HandoffFacts | undefined,
): Promise<Sent<'execution'>> {
  const { tools, run, at, input } = pass
  const key = handoff === undefined ? task.id : `${task.id}-rest`
  const learnings = await run.step(`${at}${key}-learnings`, () => tools.learningsPath())
  const map = tools.repoMapPath()
  await settleLeftChanges(pass, key, task.id)
  return send(
    pass,
    'execution',
    {
      task: orderTask(task),
      planPaths: plan.paths,
      logPath: logPathOf(pass),
      baselineCompile: baseline,
      lastCheckpointSha: input.checkpoint,
      commitSubject: subject,
      ...(learnings === null ? {} : { learningsPath: learnings }),
      ...(map === undefined ? {} : { repoMapPath: map }),
      ...(input.remediation
        ? { remediationCycle: input.remediation.cycle, remediationFeedback: input.remediation.feedback }
        : {}),
      ...(handoff === undefined ? {} : { handoff }),
      ...(input.enforcement === undefined ? {} : { enforcement: input.enforcement }),
    },
    { key: key, title: `Task ${task.id}: ${task.title}`, attempt: handoff === undefined ? 1 : 2 },
  )
}

export function takeEvidence({ log }: Pass, told: ExecutionResult): void {
  log.executorEvidence.push(...told.evidence)
  log.filesChecked.push(
    ...told.evidence.flatMap(({ criteria_met: met }) => met.filter((line) => pathLine.test(line))),
  )
  log.issues.push(...told.deviations.map((deviation) => `deviation: ${deviation}`))
}

export function failedDispatch(message: string): MiniVerdict {
  return {
    passed: false,
    gates: noChecks(),
    criteria: [],
    specs: [],
    failures: [`the executor did not come to an end: ${message}`],
    failing: [],
  }
}

const gateWords = (verdict: MiniVerdict, name: CheckName) => {
  const { status } = verdict.gates[name]
  return status === 'n/a' ? 'n/a' : status ? 'PASS' : 'FAIL'
}

function gatesText(verdict: MiniVerdict): string {
  return (['compile', 'lint', 'test'] as const)
    .map((name) => `${name} ${gateWords(verdict, name)}`)
    .join(', ')
}

async function sayGates(pass: Pass, task: PlanTask, verdict: MiniVerdict): Promise<void> {
  const { compile } = verdict.gates
  if (compile.status === 'n/a') return
  const error = compile.report?.output.split('\n')[0] ?? ''
  const text = compile.status ? 'compile PASS' : `compile FAIL -- ${error}`
  await taskSays(pass, `${task.id}-compile`, task.id, text)
}

async function ended(
  pass: Pass,
  { id }: PlanTask,
  record: { status: 'completed' | 'failed'; commit: string | null; badges: Badge[] },
): Promise<void> {
  const { status, commit } = record
  await savePhase(
    pass,
    `${id}-ended`,
    (phase) => {
      const { tasks } = phase.steps.execute
      const retries = tasks[id]?.retries ?? 0
      return withStep(phase, 'execute', { tasks: { ...tasks, [id]: { ...record, retries } } })
    },
    [
      {
        event: status === 'completed' ? 'task_completed' : 'task_failed',
        step: 'execute',
        details: { task: id, commit },
      },
    ],
  )
}

/** What is known of a task: by git, by tests that we ran, by the one who verified it. */
function badgesOf({ passed, gates, specs }: MiniVerdict, commit: string | null): Badge[] {
  const isTested = gates.test.status === true || specs.some((spec) => specReport(spec).assessment === 'pass')
  return [
    commit === null ? 'claimed' : 'shown',
    ...(passed && isTested ? (['tested'] as const) : []),
    ...(passed ? (['verified'] as const) : []),
  ]
}

/** How the project compiles before the first task. */
export async function baselineOf(pass: Pass): Promise<CommandReport | null> {
  return (await projectCheck(pass, 'baseline', 'compile')).report
}
