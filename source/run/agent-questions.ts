import type { Visit } from '../ledger/visit.js'
import type { Answer, Question, QuestionDraft } from '../view/question.js'
import type { GateDesk } from './gate-desk.js'
import type { LiveStore } from './live-store.js'
import type { Saver } from './saver.js'
import { QuestionWithdrawn, RunStopped } from './stopped.js'

export interface AgentQuestionParts<State> {
  live: LiveStore
  desk: GateDesk
  saver: Saver<State>
  visit(): Visit
  /** Ends the run with its state saved, as the key does. */
  stop(): void
  now(): Date
}

export type AskForAgent = (key: string, draft: QuestionDraft, ended?: AbortSignal) => Promise<Answer>

/**
 * Questions of an agent while it works. They end with the agent, so nothing is replayed, but both sides are on disk
 * for whoever looks from outside. `ended` takes the question back; then QuestionWithdrawn is thrown.
 */
export function createAgentQuestions<State>(parts: AgentQuestionParts<State>): AskForAgent {
  const { live, desk, saver } = parts
  return async (key, draft, ended) => {
    const visit = parts.visit()
    const id = `${visit.number}.${visit.state}.${key}`
    const question: Question = { ...draft, id, askedAt: parts.now().toISOString() }
    const answered = (answer: Answer) =>
      saver.append({
        type: 'answered',
        visit: visit.number,
        key,
        questionId: id,
        answer: { answer, subject: null },
        stop: false,
      })
    await saver.append({ type: 'asked', visit: visit.number, key, question })
    try {
      const { answer } = await desk.open(question, (open) => live.patch({ question: open }), ended)
      live.patch({ question: undefined })
      await answered(answer)
      if (!question.options.some((option) => option.value === answer.value && option.stops)) return answer
    } catch (error) {
      if (!(error instanceof QuestionWithdrawn)) throw error
      if (live.getSnapshot().question?.id === id) live.patch({ question: undefined })
      await answered({ value: 'withdrawn' })
      throw error
    }
    parts.stop()
    throw new RunStopped('gate')
  }
}
