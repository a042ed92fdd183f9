import { qContradiction, qUnproven } from '../../evidence/questions.js'
import { fixFinding } from '../findings.js'
import { recordAccepted } from './completion.js'
import type { RoundSeen } from './look.js'
import { type ExecutorOrder, isMend, orderAgain, type Round } from './orders.js'
import type { PlanWork } from './plan-work.js'

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
