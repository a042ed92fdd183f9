import { saysNothing } from '../../../documents/says-something.js'
import { qContradiction, qUnproven } from '../../evidence/questions.js'
import { fixFinding } from '../findings.js'
import type { ExecutionResult } from '../results.js'
import { answeredTasks } from './checkpoints.js'
import { type Doubt, openAgain, recordAccepted } from './completion.js'
import type { RoundSeen } from './look.js'
import { type ExecutorOrder, isMend, orderAgain, type Round } from './orders.js'
import type { PlanWork } from './plan-work.js'
import { planTaskId, taskName } from './task-ids.js'

// What a dispatch left behind that nobody has claimed: a handoff in another's name, a fix that is none.

/** A handoff of another skill, or one dated ahead, is no record. */
export async function settleHandoff(
  work: PlanWork,
  round: Round,
  seen: RoundSeen,
): Promise<ExecutorOrder | undefined> {
  if (seen.handoff.kind !== 'foreign') return undefined
  const { problem } = seen.handoff
  const key = `handoff-${round.number}`
  const answer = await work.run.ask(
    key,
    qContradiction(`${work.phase.label}: a record that is not the executor's`, [problem], [ignoreHandoff]),
  )
  if (answer.value !== 'ignore') return orderAgain(round.order, [problem], answer.text)
  await recordAccepted(work, `${key}-ignored`, 'ignored_handoff', [problem])
  return undefined
}

export const ignoreHandoff = {
  value: 'ignore',
  label: 'go on without it',
  consequence: 'the file says nothing; the result and git count',
}

/** A result that says two things at once: that it is complete or waits at a checkpoint, and something else beside it. */
export async function settleMixed(work: PlanWork, round: Round): Promise<ExecutorOrder | undefined> {
  const doubts = mixedDoubts(work, round.result)
  if (doubts.length === 0) return undefined
  const title = `${work.phase.label}: ${round.result.status}, and the same result says otherwise`
  const texts = doubts.map(({ text }) => text)
  const answer = await work.run.ask(`mixed-${round.number}`, qContradiction(title, texts))
  return openAgain(work, round, doubts, answer.text)
}

function mixedDoubts(work: PlanWork, { status, failure, checkpoint }: ExecutionResult): Doubt[] {
  const doubts: Doubt[] = []
  const failed = [failure?.task, failure?.error].filter((text = '') => !saysNothing(text))
  if (failure && failed.length > 0 && (status === 'complete' || status === 'checkpoint')) {
    const id = planTaskId(failure.task, work.tasks)
    const text = `The result is ${status}, and it reports a failure: ${failed.join(': ')}`
    doubts.push({ id, text })
  }
  if (status === 'complete' && checkpoint && !saysNothing(checkpoint.prompt)) {
    const id = planTaskId(checkpoint.task, work.tasks)
    const task = work.tasks.find((one) => one.id === id)
    // The gate of a marked task is opened by us; one that was answered may be told of again.
    const isOurs = task?.checkpoint !== undefined && task.checkpoint !== 'commit'
    const isAnswered = id !== undefined && answeredTasks(work).has(id)
    if (!isOurs && !isAnswered) {
      const name = taskName(checkpoint.task, work.tasks)
      const text = `The result is complete, and it waits for a person (${checkpoint.type}) at ${name}: ${checkpoint.prompt}`
      doubts.push({ id, text })
    }
  }
  return doubts
}

/** What was to be mended is as it was. */
export async function settleFix(
  work: PlanWork,
  round: Round,
  seen: RoundSeen,
): Promise<ExecutorOrder | undefined> {
  const { order, result } = round
  if (!isMend(order) || seen.changed.length > 0) return undefined
  if (result.status !== 'complete' && result.status !== 'checkpoint') return undefined
  const doubts = [
    `The agent says that it is done, and nothing has changed since it was sent.`,
    ...orderLines(order),
  ]
  const consequence = 'the same order again, with what was doubted'
  const answer = await work.run.ask(
    `unmended-${round.number}`,
    qUnproven(work.phase.label, doubts, consequence),
  )
  if (answer.value !== 'accept') return orderAgain(order, doubts, answer.text)
  await recordAccepted(work, `unmended-${round.number}-accepted`, 'accepted_unproven', doubts)
  return undefined
}

function orderLines(order: ExecutorOrder): string[] {
  if (order.kind === 'answer') return [`Rejected: ${order.task}${order.note ? `: ${order.note}` : ''}`]
  if (order.kind !== 'fix') return []
  return order.findings.map((finding) => {
    const { file, title } = fixFinding(finding)
    return `To be fixed (${order.source}): ${file ? `${file}: ` : ''}${title.split('\n')[0]}`
  })
}
