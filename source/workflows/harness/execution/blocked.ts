import { saysNothing } from '../../../documents/says-something.js'
import { reasonOr } from '../../dispatch/last-words.js'
import { qBlocked } from '../questions/execute.js'
import { withDecision } from '../state/decisions.js'
import { type ExecutorOrder, orderAgain, type Round } from './orders.js'
import type { PlanWork } from './plan-work.js'

/** The executor cannot go on: the person tells it something, revises the plan, or skips the phase. */
export async function askBlocked(
  work: PlanWork,
  round: Round,
): Promise<ExecutorOrder | 'revise-plan' | 'skip'> {
  const { run, tools, phase } = work
  const reason = blockedReason(round).split('\n')
  const answer = await run.ask(`blocked-${round.number}`, qBlocked(phase.label, reason))
  if (answer.value === 'retry') return orderAgain(round.order, reason, answer.text)
  const decision = answer.value === 'skip' ? 'skipped_phase' : 'revise_plan_after_block'
  await run.update(`blocked-${round.number}`, (state) =>
    withDecision(state, {
      phase: phase.index,
      decision,
      timestamp: tools.now().toISOString(),
      rationale: reason.join(' '),
    }),
  )
  return answer.value === 'skip' ? 'skip' : 'revise-plan'
}

/** What it says is in the way: as a failure, as a question of its own, else in the words around its result. */
function blockedReason({ result, words }: Round): string {
  const { failure, checkpoint } = result
  const told = failure?.error ?? checkpoint?.prompt
  const reason = reasonOr(told, words)
  const task = failure?.task ?? checkpoint?.task
  return task === undefined || saysNothing(task) ? reason : `${task}: ${reason}`
}
