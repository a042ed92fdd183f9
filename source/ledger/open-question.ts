import type { Question } from '../view/question.js'
import { recordedQuestion } from '../view/recorded-question.js'
import type { JournalRecord } from './journal.js'

/** The question that waits for an answer, from the journal. A question answered with a stop is still open. */
export function openQuestion(records: readonly JournalRecord[]): Question | undefined {
  let open: { key: string; question: Question } | undefined
  for (const record of records) {
    if (record.type === 'asked') open = { key: record.key, question: recordedQuestion(record.question) }
    else if (record.type === 'answered' && !record.stop && record.key === open?.key) open = undefined
    else if (record.type === 'transition' || record.type === 'adopted') open = undefined
  }
  return open?.question
}
