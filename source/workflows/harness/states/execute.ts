import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { qAgent } from '../../dispatch/questions.js'
import { writeProgress } from '../artifacts/task-state.js'
import { dispatchExecutor } from '../dispatches/executor.js'
import { answerCheckpoint } from '../execution/checkpoints.js'
import { checkCompletion, provenByGit } from '../execution/completion.js'
import { afterFailure, settleAttempts, settleRetry } from '../execution/failed-task.js'
import { type ExecutorOrder, firstOrder, orderAgain, type Round } from '../execution/orders.js'
import { openPlan, openTasks, type PlanWork, showTasks } from '../execution/plan-work.js'
import { planTaskId } from '../execution/task-ids.js'
import { planAgain } from '../phases.js'
import type { CheckpointReport, ExecutionFailure } from '../results.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { phaseWork } from '../work.js'

type Leave = Transition<HarnessState>

/** EXECUTE: the executor works through the plan, or through an order to fix (docs/harness.md, "Execution"). */
export async function execute(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Leave> {
  const work = phaseWork(state, run, tools)
  const begun = await run.step('plan', () => openPlan(work))
  // Looked at anew whenever the visit is resumed: what was approved must still be there before the first task.
  const now = await openPlan(work)
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
  const { planPath, tasks, done } = opened
  return executeRounds({ ...work, planPath, tasks, done: new Set(done) })
}

/** Dispatch after dispatch, until the phase is finished or goes back to the plan gate. */
async function executeRounds(work: PlanWork): Promise<Leave> {
  let order: ExecutorOrder = firstOrder(work.state, work)
  for (let number = 1; ; number += 1) {
    const round: Round = await dispatchExecutor(work, number, order)
    await takeOver(work, round)
    const next = await afterRound(work, round)
    if (next === 'finished') return { change: finishedExecution }
    if (next === 'revise-plan') {
      return { change: (state) => ({ ...state, planRevision: true, currentState: 'APPROVE_PLAN' }) }
    }
    order = next
  }
}

/** Tasks that are reported complete stay complete, also when the executor did not write them down. */
async function takeOver(work: PlanWork, round: Round): Promise<void> {
  const { run, tools } = work
  const { result, order } = round
  const completed = result.completed.flatMap((text) => planTaskId(text, work.tasks) ?? [])
  for (const id of completed) work.done.add(id)
  if (result.status !== 'complete' && completed.length > 0) {
    await run.step(`completed-${round.number}`, () => writeProgress(tools, completed))
  }
  await showTasks(work)
  if (result.status !== 'failed' && order.kind === 'retry') await settleRetry(work, round, order)
}

/** What a result leads to: the next order, the end of the phase's execution, or back to the plan. */
async function afterRound(work: PlanWork, round: Round): Promise<ExecutorOrder | 'finished' | 'revise-plan'> {
  const { result, order } = round
  switch (result.status) {
    case 'complete':
      return afterComplete(work, round)
    case 'checkpoint':
      return answerCheckpoint(work, round, result.checkpoint as CheckpointReport)
    case 'failed':
      return afterFailure(work, round, result.failure as ExecutionFailure)
    case 'blocked': {
      const { failure } = result
      const reason = failure ? [`${failure.task}: ${failure.error}`] : ['No reason was given.']
      const title = `${work.phase.label}: the executor is blocked`
      await work.run.ask(`blocked-${round.number}`, qAgent(title, reason))
      return order
    }
  }
}

/** Complete only when the records agree and git shows the work; a contradiction is a question. */
async function afterComplete(work: PlanWork, round: Round): Promise<ExecutorOrder | 'finished'> {
  if (round.order.kind === 'retry' && openTasks(work).length > 0) return { kind: 'tasks' }
  const problems = await checkCompletion(work, round)
  if (problems.length > 0) {
    const title = `${work.phase.label}: complete, but the records say otherwise`
    await work.run.ask(`contradiction-${round.number}`, qAgent(title, problems))
    return orderAgain(round.order)
  }
  return (await provenByGit(work, round)) ? 'finished' : orderAgain(round.order)
}

function finishedExecution(state: HarnessState): HarnessState {
  const { fix: _done, ...rest } = settleAttempts(state)
  return { ...rest, currentState: 'VERIFY' } as HarnessState
}
