import { saysNothing } from '../../../documents/says-something.js'
import { qMixed } from '../questions/claims.js'
import type { StepResult } from '../results.js'
import { decided } from '../state/changes.js'
import { clock, type StepWork } from '../work.js'
import { onPause } from './pause.js'

/**
 * A result that calls its step complete and names an error or an open decision beside it: a person says what holds. Returns
 * why the step does not count as done; undefined where it may.
 */
export async function settleMixed(
  work: StepWork,
  round: number,
  result: StepResult,
  answered: ReadonlySet<string>,
): Promise<string | undefined> {
  const { run, step } = work
  const doubts = mixedDoubts(result, answered)
  if (doubts.length === 0) return undefined
  const key = `mixed-${round}`
  const answer = await run.ask(key, qMixed(step, result.outcome ?? 'done', doubts), onPause(work))
  if (answer.value !== 'accept') return doubts.join(' ')
  const at = await clock(work, key)
  const what = `${step.id} ${step.name} accepted: ${doubts.join(' ')} (${answer.text ?? ''})`
  await run.update(key, ({ text }) => ({ text: decided(text, at, 'Q-CLAIM', what) }))
  return undefined
}

/** What a complete result says against itself. A gate that was answered may be told of again. Pure. */
export function mixedDoubts({ error = '', gate }: StepResult, answered: ReadonlySet<string>): string[] {
  const isOpen = gate !== undefined && !saysNothing(gate.question) && !answered.has(gate.id)
  return [
    ...(saysNothing(error) ? [] : [`The result is complete, and it names an error: ${error}`]),
    ...(isOpen ? [`The result is complete, and it leaves a decision to a person: ${gate.question}`] : []),
  ]
}
