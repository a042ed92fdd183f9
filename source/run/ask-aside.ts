import type { Answer, Question, QuestionDraft } from '../view/question.js'
import { again, type GateDesk } from './gate-desk.js'
import { hiddenQuestion } from './hidden.js'
import type { RunContext } from './run-context.js'
import { QuestionWithdrawn, RunStopped } from './stopped.js'

export type AskAside = (key: string, draft: QuestionDraft, ended?: AbortSignal) => Promise<Answer>

/**
 * Questions beside the state function: of an agent while it works, or of the run itself. They end with who asked, so
 * nothing is replayed, but both sides are on disk for whoever looks from outside. `ended` takes the question back; then
 * QuestionWithdrawn is thrown.
 */
export function createAskAside<State extends object>(context: RunContext<State>): AskAside {
  const { desk, saver, ledger } = context
  return async (key, draft, ended) => {
    const { number: visit, state } = ledger.visit
    const id = `${visit}.${state}.${key}`
    const question: Question = {
      ...hiddenQuestion(context.hide, draft),
      id,
      askedAt: context.now().toISOString(),
    }
    const answered = (answer: Answer) =>
      saver.append({
        type: 'answered',
        visit,
        key,
        questionId: id,
        answer: { answer, subject: null },
        stop: false,
        aside: true,
      })
    await saver.append({ type: 'asked', visit, key, question, aside: true })
    try {
      const answer = await answerOf(desk, question, ended, async (given) => {
        await answered(given)
        return given
      })
      if (!question.options.some((option) => option.value === answer.value && option.stops)) return answer
    } catch (error) {
      if (!(error instanceof QuestionWithdrawn)) throw error
      await answered({ value: 'withdrawn' })
      throw error
    }
    context.stop()
    throw new RunStopped('gate')
  }
}

/** Such a question is about no file, so there is nothing to look at again: it is asked as it is. */
async function answerOf(
  desk: GateDesk,
  question: Question,
  ended: AbortSignal | undefined,
  keep: (answer: Answer) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await desk.keeping(question, ended, keep)
    if (answer !== again) return answer
  }
}
