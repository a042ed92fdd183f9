import { readPlan } from '../../../documents/plan.js'
import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import type { Badge } from '../../evidence/badges.js'
import type { JudgedTask } from '../../evidence/claims/tasks.js'
import { freeze, keptText } from '../artifacts/frozen.js'
import { writeProgress } from '../artifacts/task-state.js'
import { dispatchExecutor } from '../dispatches/executor.js'
import { changedSinceConfirmed } from '../execution/approved-work.js'
import { askBlocked } from '../execution/blocked.js'
import { answerCheckpoint, answeredTasks, askOwnCheckpoints, reportedTask } from '../execution/checkpoints.js'
import { settleContradiction, settleUnproven, writeRecords } from '../execution/completion.js'
import { settleFix, settleHandoff, settleMixed } from '../execution/doubts.js'
import { afterFailure, settleAttempts, settleRetry } from '../execution/failed-task.js'
import { lookAt, type RoundSeen } from '../execution/look.js'
import { type ExecutorOrder, firstOrder, type Round } from '../execution/orders.js'
import { settlePlanChange } from '../execution/plan-change.js'
import { type OpenedPlan, openPlan, openTasks, type PlanWork, showTasks } from '../execution/plan-work.js'
import { settleTests, testsAtStart, withEvidence } from '../execution/tests.js'
import { planAgain, withPhase } from '../phases.js'
import type { ExecutionFailure } from '../results.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { type PhaseWork, phaseWork } from '../work.js'

type Leave = Transition<HarnessState>

/** What a round leads to beside another order. */
type End = 'finished' | 'revise-plan' | 'skip'

/** EXECUTE: the executor works through the plan, or through an order to fix (docs/harness.md, "Execution"). */
export async function execute(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Leave> {
  const work = phaseWork(state, run, tools)
  const begun = await run.step('plan', () => keptPlan(work))
  // Looked at anew whenever the visit is resumed: what was approved must still be there before the first task.
  const now = await keptPlan(work)
  const opened = now.kind === 'open' ? begun : now
  if (opened.kind === 'vanished') {
    const text = `The plan ${work.phase.record.planPath} is gone; the phase is planned again.`
    await run.note('vanished', text, 'warning')
    return { change: (latest) => planAgain(latest, work.phase.index) }
  }
  if (opened.kind === 'changed') {
    const text = `${opened.planPath} changed after it was approved; the gate opens again.`
    await run.note('changed', text, 'warning')
    return { change: (latest) => ({ ...latest, currentState: 'APPROVE_PLAN' }) }
  }
  const { planPath, done } = opened
  const plan = await keptText(tools, opened.plan, planPath)
  const { tasks } = readPlan(plan)
  return executeRounds({ ...work, planPath, plan, tasks, done: new Set(done) })
}

/** The plan, with the hash of its text: a copy of it is kept. */
async function keptPlan(work: PhaseWork): Promise<OpenedPlan> {
  const opened = await openPlan(work)
  return opened.kind === 'open' ? { ...opened, plan: await freeze(work.tools, opened.plan) } : opened
}

/** Dispatch after dispatch, until the phase is finished or goes back to the plan gate. */
async function executeRounds(work: PlanWork): Promise<Leave> {
  await testsAtStart(work)
  let order: ExecutorOrder = firstOrder(work.state, work)
  for (let number = 1; ; number += 1) {
    await settlePlanChange(work, String(number))
    const round: Round = await dispatchExecutor(work, number, order)
    const next = await afterRound(work, round)
    if (next === 'skip') return { change: (state) => skipped(state, work.phase.index) }
    if (next === 'revise-plan') {
      return { change: (state) => ({ ...state, planRevision: true, currentState: 'APPROVE_PLAN' }) }
    }
    if (next !== 'finished') order = next
    else if ((await settlePlanChange(work, `${number}-end`)) && openTasks(work).length > 0)
      order = { kind: 'tasks' }
    else return finish(work)
  }
}

async function finish({ run, tools, phase }: PlanWork): Promise<Leave> {
  const endCommit = await run.step('end-commit', () => tools.git.head())
  return {
    change: (state) => withPhase(finishedExecution(state), phase.index, endCommit ? { endCommit } : {}),
  }
}

/** What was left behind is looked at before anything that was said is believed. */
async function afterRound(work: PlanWork, round: Round): Promise<ExecutorOrder | End> {
  const seen = await lookAt(work, round)
  const doubted =
    (await settleHandoff(work, round, seen)) ??
    (await settleMixed(work, round)) ??
    (await settleFix(work, round, seen))
  if (doubted) return doubted
  const reported = await reportedTask(work, round)
  const rejected = await takeOver(work, round, seen, reported)
  if (rejected) return rejected
  const { result } = round
  switch (result.status) {
    case 'complete':
      return afterComplete(work, round, seen)
    case 'checkpoint':
      return answerCheckpoint(work, round, seen, reported)
    case 'failed':
      return afterFailure(work, round, result.failure as ExecutionFailure)
    case 'blocked':
      return askBlocked(work, round)
  }
}

/**
 * Tasks that are reported complete stay complete, also when the executor did not write them down; those that the plan
 * marks are asked about first.
 */
async function takeOver(
  work: PlanWork,
  round: Round,
  seen: RoundSeen,
  reported: string | undefined,
): Promise<ExecutorOrder | undefined> {
  const { run, tools } = work
  const { result, order } = round
  const asked = await askOwnCheckpoints(work, round, seen, reported)
  const rejected = asked?.kind === 'answer' && asked.answer === 'reject' ? asked.task : undefined
  const completed = seen.complete.filter((id) => `Task ${id}` !== rejected)
  for (const id of completed) work.done.add(id)
  if (result.status !== 'complete' && completed.length > 0) {
    await run.step(`completed-${round.number}`, () => writeProgress(tools, completed))
  }
  await showTasks(work)
  if (result.status !== 'failed' && order.kind === 'retry') await settleRetry(work, round, order)
  return asked
}

/** Complete only when the records agree, git shows the work and the tests pass; what does not fit is a question. */
async function afterComplete(
  work: PlanWork,
  round: Round,
  seen: RoundSeen,
): Promise<ExecutorOrder | 'finished'> {
  if (round.order.kind === 'retry' && openTasks(work).length > 0) return { kind: 'tasks' }
  const contradicted = await settleContradiction(work, round, seen)
  if (contradicted) return contradicted
  const { order, judged } = await settleUnproven(work, round)
  if (order) return order
  await writeRecords(work, round, seen)
  const red = await settleTests(work, round)
  if (red) return red
  const changed = await work.run.step(`confirmed-${round.number}`, () => changedSinceConfirmed(work))
  await work.run.update(`badges-${round.number}`, (latest) => withBadges(latest, work, judged, changed))
  if (changed.length > 0)
    await work.run.note(
      `confirmed-${round.number}`,
      `Changed since you confirmed it, so not approved as it is: ${changed.map((id) => `Task ${id}`).join(', ')}`,
      'warning',
    )
  await showTasks(work)
  return 'finished'
}

/** What is known of each task now; a badge that a person gave stays, but for what was changed since. */
function withBadges(
  state: HarnessState,
  work: PlanWork,
  judged: readonly JudgedTask[],
  changed: readonly string[],
): HarnessState {
  const passed = state.phases[work.phase.index]?.evidence?.tests?.outcome === 'passed'
  const approved = answeredTasks(work)
  const tasks = Object.fromEntries(
    judged.map(({ id, badge }): [string, Badge[]] => [
      id,
      [
        badge,
        ...(passed ? (['tested'] as const) : []),
        ...(approved.has(id) && !changed.includes(id) ? (['approved'] as const) : []),
      ],
    ]),
  )
  return withEvidence(state, work.phase.index, { tasks })
}

function skipped(state: HarnessState, index: number): HarnessState {
  const { fix: _done, ...rest } = settleAttempts(state)
  return { ...withPhase(rest as HarnessState, index, { status: 'skipped' }), currentState: 'PHASE_COMPLETE' }
}

function finishedExecution(state: HarnessState): HarnessState {
  const { fix: _done, ...rest } = settleAttempts(state)
  return { ...rest, currentState: 'VERIFY' } as HarnessState
}
