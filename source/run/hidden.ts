import { redactValue } from '../secrets/redact.js'
import type { QuestionDraft } from '../view/question.js'

/** Hides secrets in a text. */
export type Hide = (text: string) => string

/**
 * A question as it is recorded and shown. What its answer is compared with stays: the values of its options, and the rows
 * of a list that is edited.
 */
export function hiddenQuestion<Draft extends QuestionDraft>(hide: Hide, question: Draft): Draft {
  const { title, body, evidence, options } = question
  return {
    ...question,
    title: hide(title),
    body: hiddenLines(hide, body),
    ...(evidence ? { evidence: evidence.map((one) => hiddenEvidence(hide, one)) } : {}),
    options: options.map((option) => ({
      ...option,
      label: hide(option.label),
      consequence: hide(option.consequence),
    })),
  }
}

function hiddenEvidence(hide: Hide, one: NonNullable<QuestionDraft['evidence']>[number]) {
  const { title, lines } = one
  return { ...one, title: hide(title), ...(lines ? { lines: hiddenLines(hide, lines) } : {}) }
}

/** Lines of one text: a key may go over several of them. */
export function hiddenLines(hide: Hide, lines: readonly string[]): string[] {
  const text = lines.join('\n')
  const hidden = hide(text)
  return hidden === text ? [...lines] : hidden.split('\n')
}

/** A result as it is recorded and given back. */
export function hiddenResult<Result>(hide: Hide, result: Result): Result {
  return redactValue(hide, result)
}
