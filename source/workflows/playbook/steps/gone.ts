import type { QuestionDraft } from '../../../view/question.js'
import type { Pass } from '../pass.js'
import type { PlaybookState } from '../state/schema.js'
import { save } from '../work.js'

/** What is done about lines that say what is gone. */
export interface Settling {
  /** Begins the keys of question and answer: `tests`. */
  key: string
  /** Nobody is sent to mend it any more. */
  isLast: boolean
  question: QuestionDraft
  accepted(state: PlaybookState, time: string): PlaybookState
}

/**
 * What is gone, line by line, as a check that failed: a debugger puts it back first. What is still gone then a person is
 * asked about; what they accept counts no more (docs/playbook-checks.md, "Tests that are gone").
 */
export async function settleGone(
  { log, ...pass }: Pass,
  lines: readonly string[],
  { key, isLast, question, accepted }: Settling,
): Promise<string[]> {
  const { run, at } = pass
  const isTold = lines.every((line) => log.toldGone.has(line))
  for (const line of lines) log.toldGone.add(line)
  if (lines.length === 0 || !(isTold || isLast)) return [...lines]
  const { value } = await run.ask(`${at}${key}-ask`, question)
  if (value !== 'accept') return [...lines]
  await save(pass, `${at}${key}-taken`, accepted)
  return []
}
