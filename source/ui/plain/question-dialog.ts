import { counted } from '../../counted.js'
import type { Answer, Evidence, Question, QuestionOption } from '../../view/question.js'
import type { Lines } from './lines.js'
import { editList } from './list-dialog.js'
import { questionLines, questionPrompt, replyOf } from './question-lines.js'

/** Lines of evidence that are printed; the rest is in its file. */
const mostEvidence = 2000

export type ReadEvidence = (evidence: Evidence) => Promise<readonly string[]>

async function showEvidence(evidence: Evidence, lines: Lines, read: ReadEvidence | undefined): Promise<void> {
  const where = evidence.path ?? 'it'
  const text =
    evidence.lines ??
    (read
      ? await read(evidence).catch((error: unknown) => [`${where} could not be read: ${String(error)}`])
      : [`It is in ${where}.`])
  const rest = text.length - mostEvidence
  lines.show([
    `${evidence.title}:`,
    ...text.slice(0, mostEvidence).map((row) => `  ${row}`),
    ...(rest > 0 ? [`  (${counted(rest, 'more line is', 'more lines are')} in ${where})`] : []),
    `End of ${evidence.title}.`,
  ])
}

async function answerWith(
  question: Question,
  option: QuestionOption,
  lines: Lines,
): Promise<Answer | 'back' | undefined> {
  if (option.edits && question.list) {
    const items = await editList(question.list, lines)
    return items === 'back' || items === undefined ? items : { value: option.value, items }
  }
  if (!option.text) return { value: option.value }
  const { label, required } = option.text
  for (;;) {
    const wish = `${label}${required ? '' : ' (may stay empty)'}`
    const sentence = /[.?!]$/.test(wish) ? wish : `${wish}.`
    const more = lines.wantsWords ? '' : ' Ctrl+J begins another line.'
    lines.show([`${sentence}${more} A line with only < goes back.`])
    const text = (await lines.read?.('Text: ', { text: true }))?.trim()
    if (text === undefined) return undefined
    if (text === '<') return 'back'
    if (text !== '') return { value: option.value, text }
    if (!required) return { value: option.value }
  }
}

/**
 * Asks a question by lines until it is answered. `quit`: the person wants to leave. Undefined: nobody can answer, or
 * the read was given up because the question is gone.
 */
export async function askByLines(
  question: Question,
  lines: Lines,
  read?: ReadEvidence,
): Promise<Answer | 'quit' | undefined> {
  const show = () => lines.show(questionLines(question, lines.wantsWords))
  show()
  for (;;) {
    const typed = await lines.read?.(questionPrompt(question), { guarded: true })
    if (typed === undefined) return undefined
    const reply = replyOf(question, typed, lines.wantsWords)
    if (reply.kind === 'quit') return 'quit'
    if (reply.kind === 'again') show()
    else if (reply.kind === 'unclear') lines.show([reply.why])
    else if (reply.kind === 'read') await showEvidence(reply.evidence, lines, read)
    else {
      const option = question.options[reply.index]
      const answer = option && (await answerWith(question, option, lines))
      if (answer === undefined) return undefined
      if (answer !== 'back') {
        lines.show([`Answered: ${option?.label ?? ''}`])
        return answer
      }
      show()
    }
  }
}
