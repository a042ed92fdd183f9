import { dispatchLogPath } from '../../../agents/dispatch-context.js'
import { recoveryMessage } from '../../commits/checkpoint-commit.js'
import { reasonOr } from '../../dispatch/last-words.js'
import { attemptsUsed, beginAttempt, describeAttempt } from '../../retries/attempts.js'
import { retryContext } from '../../retries/retry-context.js'
import { attemptTexts, recordFailure } from '../artifacts/failures.js'
import { sessionFiles } from '../artifacts/files.js'
import { phaseInCommits, phaseMarkAt } from '../phases.js'
import { qRetry, qTwoFail } from '../questions/execute.js'
import type { ExecutionFailure } from '../results.js'
import { withDecision } from '../state/decisions.js'
import { type Attempt, freshRetryBudget, type HarnessState } from '../state/state.js'
import { commitPhase } from './commit-phase.js'
import type { ExecutorOrder, RetryOrder, Round } from './orders.js'
import type { PlanWork } from './plan-work.js'
import { planTaskId, taskName } from './task-ids.js'

// A task that failed: another attempt while the budget lasts, else the person decides (docs/harness.md, "Execution").

/** What follows a failed task: an order, or back to the plan gate. */
export type AfterFailure = ExecutorOrder | 'revise-plan'

export async function afterFailure(
  work: PlanWork,
  round: Round,
  failure: ExecutionFailure,
): Promise<AfterFailure> {
  const { run } = work
  const task = taskName(failure.task, work.tasks)
  const retried = round.order.kind === 'retry' && round.order.task === task
  const described = await run.update(`described-${round.number}`, (latest) => {
    if (retried) return withBudget(latest, describeAttempt(latest.retryBudget, failure.fixAttempted ?? ''))
    return latest.retryBudget.currentTask?.name === task ? latest : settleAttempts(latest)
  })
  const { maxAttempts, currentTask } = described.retryBudget
  const failed = {
    task,
    error: reasonOr(failure.error, round.words),
    ...(failure.fixAttempted ? { tried: failure.fixAttempted } : {}),
    attempts: currentTask?.attempts ?? [],
  }
  return attemptsUsed(described.retryBudget, task) < maxAttempts
    ? nextAttempt(work, round, failed)
    : budgetGone(work, round, failed)
}

/** A task as `Task 2`, what went wrong last, and the attempts that it had. */
interface FailedTask {
  task: string
  error: string
  /** What the agent says that it tried. */
  tried?: string
  attempts: readonly Attempt[]
}

/** The task passed: its attempts count for the phase, and the next failure starts at zero. */
export function settleAttempts(state: HarnessState): HarnessState {
  const { name = '', attemptsUsed: used = 0 } = state.retryBudget.currentTask ?? {}
  const phases = state.phases.map((phase, index) =>
    index === state.currentPhase && used > 0
      ? {
          ...phase,
          retriesUsed: (phase.retriesUsed ?? 0) + used,
          taskRetries: { ...phase.taskRetries, [name]: (phase.taskRetries?.[name] ?? 0) + used },
        }
      : phase,
  )
  return { ...state, phases, retryBudget: { ...state.retryBudget, currentTask: null } }
}

/** A retry that did not fail again: on record, and complete where the executor says no more of it. */
export async function settleRetry(work: PlanWork, round: Round, order: RetryOrder): Promise<void> {
  if (round.result.status === 'blocked') return
  const id = planTaskId(order.task, work.tasks)
  if (id !== undefined && round.result.status === 'complete') work.done.add(id)
  await work.run.update(`passed-${round.number}`, settleAttempts)
  await work.run.note(`passed-${round.number}`, `${order.task} passed on retry ${order.attempt}`)
}

function withBudget(state: HarnessState, retryBudget: HarnessState['retryBudget']): HarnessState {
  return { ...state, retryBudget }
}

/** The task alone is sent again, told more with each attempt. */
async function nextAttempt(work: PlanWork, round: Round, failed: FailedTask): Promise<RetryOrder> {
  const { run, tools } = work
  const { task, error, tried } = failed
  const began = await run.step(`attempt-at-${round.number}`, () => tools.now().toISOString())
  const latest = await run.update(`attempt-${round.number}`, (state) =>
    withBudget(state, beginAttempt(state.retryBudget, { task, error, tried }, began)),
  )
  const { maxAttempts, currentTask } = latest.retryBudget
  const attempt = currentTask?.attemptsUsed ?? 1
  const earlier = (currentTask?.attempts ?? []).map((one) => ({
    error: one.error,
    fix: one.fix,
    ...(one.tried ? { tried: one.tried } : {}),
  }))
  const id = planTaskId(task, work.tasks)
  const files = sessionFiles(tools.sessionDir)
  const context = await run.step(`retry-context-${round.number}`, () =>
    retryContext(tools, {
      attempt,
      task: work.tasks.find((one) => one.id === id),
      errors: earlier.map((one) => one.error),
      planPath: work.planPath,
      ...(round.output === undefined ? {} : { output: round.output }),
      logPath: dispatchLogPath(tools.sessionDir, round.dispatchId),
      learnings: [files.learnings, files.globalLearnings, files.failures],
    }),
  )
  const text = `${task} failed: ${error} - retry ${attempt} of ${maxAttempts}`
  await run.note(`retrying-${round.number}`, text, 'warning')
  return { kind: 'retry', task, attempt, maxAttempts, earlier, context }
}

/** All attempts are used: keep what works, write it down, ask. */
async function budgetGone(work: PlanWork, round: Round, failed: FailedTask): Promise<AfterFailure> {
  const { run, tools, phase } = work
  const id = planTaskId(failed.task, work.tasks) ?? failed.task
  await commitPhase(work, `recovery-${round.number}`, recoveryMessage(phaseInCommits(phase), id))
  await recordExhausted(work, round, failed)

  const came = failed.attempts.map((attempt, index) => ({
    ...attempt,
    error: failed.attempts[index + 1]?.error ?? failed.error,
  }))
  const answer = await run.ask(`retry-${round.number}`, qRetry(failed.task, came))
  await run.update(`proceed-${round.number}`, (state) => ({
    ...withDecision(settleAttempts(state), {
      phase: phase.index,
      decision: answer.value === 'revise' ? 'revise_plan_after_failure' : 'fixed_manually',
      timestamp: tools.now().toISOString(),
    }),
    retryBudget: freshRetryBudget,
  }))
  return answer.value === 'revise' ? 'revise-plan' : { kind: 'tasks', startTask: id }
}

/** Failures file and decision, then the question of two phases in a row. */
async function recordExhausted(work: PlanWork, round: Round, failed: FailedTask): Promise<void> {
  const { run, tools, phase } = work
  const at = await run.step(`failed-at-${round.number}`, () => tools.now().toISOString())
  await run.step(`failures-${round.number}`, () =>
    recordFailure(tools, {
      date: at.slice(0, 10),
      task: failed.task,
      attempts: attemptTexts(failed.attempts),
    }),
  )
  const latest = await run.update(`exhausted-${round.number}`, (state) =>
    withDecision(state, {
      phase: phase.index,
      decision: 'retry_budget_exhausted',
      timestamp: at,
      rationale: `${failed.task}: ${failed.error}`,
    }),
  )
  const before = previousFailure(latest, phase.index)
  // Once in a phase: what was answered then holds for its other tasks.
  if (before === undefined || exhaustedIn(latest, phase.index) > 1) return
  await run.ask(
    `two-failures-${round.number}`,
    qTwoFail(`Phase ${phaseMarkAt(latest, before)}`, `Phase ${phase.mark}`),
  )
}

/** Index of the phase before, if that one used up a budget too; skipped phases do not count between. */
function previousFailure(state: HarnessState, index: number): number | undefined {
  for (let at = index - 1; at >= 0; at -= 1) {
    if (state.phases[at]?.status === 'skipped') continue
    return exhaustedIn(state, at) > 0 ? at : undefined
  }
  return undefined
}

/** How often a phase (0-based) has used up a budget. */
function exhaustedIn(state: HarnessState, index: number): number {
  return state.decisions.filter((entry) => {
    const known = entry as { phase?: unknown; decision?: unknown } | null
    return known?.phase === index && known.decision === 'retry_budget_exhausted'
  }).length
}
