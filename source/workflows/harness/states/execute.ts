import { createHash } from 'node:crypto'
import { type PlanTask, readPlan } from '../../../documents/plan.js'
import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { commitChanges, recoveryMessage } from '../../commits/checkpoint-commit.js'
import { currentTaskViews } from '../../dispatch/progress-watch.js'
import { qAgent, qUnproven } from '../../dispatch/questions.js'
import { gitEvidence } from '../../evidence/git-evidence.js'
import { beginAttempt, describeAttempt, retryContext, settleAttempts } from '../../retries/retry.js'
import { attemptTexts, recordFailure } from '../artifacts/failures.js'
import { readText } from '../artifacts/files.js'
import { readProgress, writeProgress } from '../artifacts/task-state.js'
import { answerCheckpoint } from '../checkpoints.js'
import { checkCompletion } from '../completion.js'
import { withDecision } from '../decisions.js'
import { dispatchExecutor, type ExecutorOrder } from '../executor.js'
import { currentPhase, type PhaseContext } from '../phases.js'
import { qRetry, qTwoFail } from '../questions/execute.js'
import type { CheckpointReport, ExecutionFailure, ExecutionResult } from '../results.js'
import { type Attempt, freshRetryBudget, type HarnessState } from '../state/state.js'
import { planTaskId, taskName } from '../task-ids.js'
import type { HarnessTools } from '../tools.js'
import { planAgain } from './approve-plan.js'

type Leave = Transition<HarnessState>

/** What the rounds of one visit share. `done` grows as tasks are reported complete. */
interface Execution {
  context: PhaseContext
  planPath: string
  tasks: readonly PlanTask[]
  done: Set<string>
}

/** EXECUTE: the executor works through the plan, or through an order to fix (section 1.3). */
export async function execute(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Leave> {
  const context = currentPhase(state)
  const begun = await run.step('plan', () => openPlan(state, context, tools))
  // Looked at anew whenever the visit is taken up: what was approved must still be there before the first task.
  const now = await openPlan(state, context, tools)
  const opened = now.kind === 'open' ? begun : now
  if (opened.kind === 'vanished') {
    await run.note(
      'vanished',
      `The plan ${context.phase.planPath} is gone; the phase is planned again.`,
      'warning',
    )
    return { change: (latest) => planAgain(latest, context.index) }
  }
  if (opened.kind === 'changed') {
    await run.note(
      'changed',
      `${opened.planPath} changed after it was approved; the gate opens again.`,
      'warning',
    )
    return { change: (latest) => ({ ...latest, currentState: 'APPROVE_PLAN' }) }
  }
  const work: Execution = {
    context,
    planPath: opened.planPath,
    tasks: opened.tasks,
    done: new Set(opened.done),
  }
  return executeRounds(state, run, tools, work)
}

async function executeRounds(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
  work: Execution,
): Promise<Leave> {
  const { context } = work
  let order: ExecutorOrder = state.fix
    ? { kind: 'fix', source: state.fix.source, findings: state.fix.findings }
    : firstOrder(state, work)
  for (let round = 1; ; round += 1) {
    const sent = order
    const { result, before, logPath } = await dispatchExecutor(run, tools, work, round, sent)
    for (const id of completedIds(result, work.tasks)) work.done.add(id)
    await rememberCompleted(run, tools, work, round, result)
    run.tasks(await currentTaskViews(tools, work.tasks, context.number, work.done, run.state))
    if (result.status !== 'failed' && sent.kind === 'retry') await settleRetry(run, round, work, sent, result)

    switch (result.status) {
      case 'complete': {
        if (sent.kind === 'retry' && openTasks(work).length > 0) {
          order = { kind: 'tasks' }
          continue
        }
        const problems = await checkCompletion(run, tools, work, round, sent.kind === 'fix', result, before)
        if (problems.length === 0) {
          if (await provenByGit(run, tools, work, round)) return { change: finishedExecution }
          order = sent.kind === 'fix' ? sent : { kind: 'tasks' }
          continue
        }
        await run.ask(
          `contradiction-${round}`,
          qAgent(`${context.label}: complete, but the records say otherwise`, problems, false),
        )
        order = sent.kind === 'fix' ? sent : { kind: 'tasks' }
        continue
      }
      case 'checkpoint':
        order = await answerCheckpoint(run, tools, work, round, result.checkpoint as CheckpointReport)
        continue
      case 'blocked': {
        const reason = result.failure
          ? [`${result.failure.task}: ${result.failure.error}`]
          : ['No reason was given.']
        await run.ask(`blocked-${round}`, qAgent(`${context.label}: the executor is blocked`, reason, false))
        continue
      }
      case 'failed': {
        const next = await afterFailure(
          run,
          tools,
          work,
          round,
          sent,
          result.failure as ExecutionFailure,
          logPath,
        )
        if (!('kind' in next)) return next
        order = next
      }
    }
  }
}

type OpenedPlan =
  | { kind: 'vanished' }
  | { kind: 'changed'; planPath: string }
  | { kind: 'open'; planPath: string; tasks: PlanTask[]; done: string[] }

/** Reads the plan; before the first task it has to be the one that was approved. */
async function openPlan(
  state: HarnessState,
  context: PhaseContext,
  tools: HarnessTools,
): Promise<OpenedPlan> {
  const { planPath } = context.phase
  const text = planPath === null ? undefined : await readText(tools, planPath)
  if (planPath === null || text === undefined) return { kind: 'vanished' }
  const { tasks } = readPlan(text)
  const progress = await readProgress(tools, tasks, context.number)
  const done = Object.keys(progress.byTask).filter((id) => progress.byTask[id] === 'complete')
  const hash = createHash('sha256').update(text).digest('hex')
  const approved = state.approvedPlanHash
  const untouched = done.length === 0 && !state.fix
  if (untouched && typeof approved === 'string' && approved !== hash) return { kind: 'changed', planPath }
  return { kind: 'open', planPath, tasks, done }
}

/** Tasks that are reported complete stay complete, also when the executor did not write them down. */
async function rememberCompleted(
  run: Run<HarnessState>,
  tools: HarnessTools,
  work: Execution,
  round: number,
  result: ExecutionResult,
): Promise<void> {
  const completed = completedIds(result, work.tasks)
  if (result.status === 'complete' || completed.length === 0) return
  await run.step(`completed-${round}`, () => writeProgress(tools, completed))
}

/** What git shows of the work; where it shows none, the person decides. */
async function provenByGit(
  run: Run<HarnessState>,
  tools: HarnessTools,
  work: Execution,
  round: number,
): Promise<boolean> {
  const { context } = work
  const { doubts, uncommitted } = await run.step(`evidence-${round}`, () => gitEvidence(tools, context))
  if (uncommitted.length > 0) {
    const names = uncommitted.slice(0, 5).join(', ')
    await run.note(
      `uncommitted-${round}`,
      `${uncommitted.length} changed file(s) are in no commit: ${names}`,
      'warning',
    )
  }
  if (doubts.length === 0) return true
  const answer = await run.ask(`unproven-${round}`, qUnproven(context.label, doubts))
  if (answer.value !== 'accept') return false
  await run.update(`accepted-${round}`, (state) =>
    withDecision(state, {
      phase: context.index,
      decision: 'accepted_unproven',
      timestamp: tools.now().toISOString(),
      rationale: doubts.join(' '),
    }),
  )
  return true
}

/** After "fix manually and continue" in an earlier visit, work goes on from that task. */
function firstOrder(state: HarnessState, work: Execution): ExecutorOrder {
  const name = state.retryBudget.currentTask?.name
  const id = name === undefined ? undefined : planTaskId(name, work.tasks)
  return id === undefined ? { kind: 'tasks' } : { kind: 'tasks', startTask: id }
}

function completedIds(result: ExecutionResult, tasks: readonly PlanTask[]): string[] {
  return result.completed.flatMap((text) => planTaskId(text, tasks) ?? [])
}

function openTasks(work: Execution): PlanTask[] {
  return work.tasks.filter((task) => !work.done.has(task.id))
}

function finishedExecution(state: HarnessState): HarnessState {
  const { fix: _done, ...rest } = settleAttempts(state)
  return { ...rest, currentState: 'VERIFY' } as HarnessState
}

async function settleRetry(
  run: Run<HarnessState>,
  round: number,
  work: Execution,
  order: Extract<ExecutorOrder, { kind: 'retry' }>,
  result: ExecutionResult,
): Promise<void> {
  if (result.status === 'blocked') return
  const id = planTaskId(order.task, work.tasks)
  if (id !== undefined && result.status === 'complete') work.done.add(id)
  await run.update(`passed-${round}`, settleAttempts)
  await run.note(`passed-${round}`, `${order.task} passed on retry ${order.attempt}`)
}

/** A failed task: another attempt while the budget lasts, else the person decides. */
async function afterFailure(
  run: Run<HarnessState>,
  tools: HarnessTools,
  work: Execution,
  round: number,
  sent: ExecutorOrder,
  failure: ExecutionFailure,
  failedLog: string | undefined,
): Promise<ExecutorOrder | Leave> {
  const task = taskName(failure.task, work.tasks)
  const retried = sent.kind === 'retry' && sent.task === task
  const described = await run.update(`described-${round}`, (latest) =>
    retried
      ? describeAttempt(latest, failure.fixAttempted ?? '')
      : latest.retryBudget.currentTask?.name === task
        ? latest
        : settleAttempts(latest),
  )
  const { maxAttempts, currentTask } = described.retryBudget
  const used = currentTask?.name === task ? currentTask.attemptsUsed : 0
  if (used >= maxAttempts)
    return budgetGone(run, tools, work, round, task, failure, currentTask?.attempts ?? [])

  const began = await run.step(`attempt-at-${round}`, () => tools.now().toISOString())
  const latest = await run.update(`attempt-${round}`, (state) =>
    beginAttempt(state, task, failure.error, began),
  )
  const attempts = latest.retryBudget.currentTask?.attempts ?? []
  const attempt = used + 1
  const id = planTaskId(task, work.tasks)
  const earlier = attempts.map((one) => ({ error: one.error, fix: one.fix }))
  const context = await run.step(`retry-context-${round}`, () =>
    retryContext(tools, {
      attempt,
      task: work.tasks.find((one) => one.id === id),
      errors: earlier.map((one) => one.error),
      planPath: work.planPath,
      ...(failedLog ? { logPath: failedLog } : {}),
    }),
  )
  await run.note(
    `retrying-${round}`,
    `${task} failed: ${failure.error} - retry ${attempt} of ${maxAttempts}`,
    'warning',
  )
  return { kind: 'retry', task, attempt, maxAttempts, earlier, context }
}

/** Three attempts did not help: keep what works, write it down, ask (section 1.3). */
async function budgetGone(
  run: Run<HarnessState>,
  tools: HarnessTools,
  work: Execution,
  round: number,
  task: string,
  failure: ExecutionFailure,
  attempts: readonly Attempt[],
): Promise<ExecutorOrder | Leave> {
  const { context } = work
  const id = planTaskId(task, work.tasks) ?? task
  await commitChanges(run, tools, context, `recovery-${round}`, recoveryMessage(context, id))
  const at = await run.step(`failed-at-${round}`, () => tools.now().toISOString())
  await run.step(`failures-${round}`, () =>
    recordFailure(tools, at.slice(0, 10), task, attemptTexts(attempts)),
  )
  const latest = await run.update(`exhausted-${round}`, (state) =>
    withDecision(state, {
      phase: context.index,
      decision: 'retry_budget_exhausted',
      timestamp: at,
      rationale: `${task}: ${failure.error}`,
    }),
  )
  const before = previousFailure(latest, context.index)
  if (before !== undefined) {
    await run.ask(`two-failures-${round}`, qTwoFail(`Phase ${before + 1}`, `Phase ${context.number}`))
  }
  const shown = attempts.map((attempt, at) => ({
    ...attempt,
    error: attempts[at + 1]?.error ?? failure.error,
  }))
  const answer = await run.ask(`retry-${round}`, qRetry(task, shown))
  await run.update(`proceed-${round}`, (state) => ({
    ...withDecision(settleAttempts(state), {
      phase: context.index,
      decision: answer.value === 'revise' ? 'revise_plan_after_failure' : 'fixed_manually',
      timestamp: tools.now().toISOString(),
    }),
    retryBudget: freshRetryBudget,
  }))
  if (answer.value === 'revise')
    return { change: (state) => ({ ...state, planRevision: true, currentState: 'APPROVE_PLAN' }) }
  return { kind: 'tasks', startTask: id }
}

/** Index of the phase before, if that one used up a budget too; skipped phases do not count between. */
function previousFailure(state: HarnessState, index: number): number | undefined {
  for (let at = index - 1; at >= 0; at -= 1) {
    if (state.phases[at]?.status === 'skipped') continue
    const failed = state.decisions.some((entry) => {
      const known = entry as { phase?: unknown; decision?: unknown } | null
      return known?.phase === at && known.decision === 'retry_budget_exhausted'
    })
    return failed ? at : undefined
  }
  return undefined
}
