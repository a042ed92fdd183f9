import type { Answer, Question } from '../view/question.js'
import { QuestionWithdrawn, RunStopped } from './stopped.js'

/** Where open questions wait for a key. One is open at a time; others queue behind it. */
export interface GateDesk {
  /**
   * Shows the question when it is its turn and resolves with the answer. Throws RunStopped after a stop, and
   * QuestionWithdrawn once `ended` aborts.
   */
  open(
    question: Question,
    show: (question: Question) => void,
    ended?: AbortSignal,
  ): Promise<{ answer: Answer }>
  /** False if that question is not the open one, or the answer does not fit it. */
  answer(questionId: string, answer: Answer): boolean
}

export function createGateDesk(signal: AbortSignal): GateDesk {
  let current: { question: Question; resolve: (result: { answer: Answer }) => void } | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const openNow = (question: Question, show: (question: Question) => void, ended: AbortSignal | undefined) =>
    new Promise<{ answer: Answer }>((resolve, reject) => {
      if (signal.aborted) return reject(new RunStopped('key'))
      if (ended?.aborted) return reject(new QuestionWithdrawn())
      const stopClock = countDown(question, (value) => current?.resolve({ answer: { value } }))
      const leave = () => {
        current = undefined
        stopClock()
        signal.removeEventListener('abort', stop)
        ended?.removeEventListener('abort', withdraw)
      }
      const stop = () => {
        leave()
        reject(new RunStopped('key'))
      }
      const withdraw = () => {
        leave()
        reject(new QuestionWithdrawn())
      }
      signal.addEventListener('abort', stop, { once: true })
      ended?.addEventListener('abort', withdraw, { once: true })
      current = {
        question,
        resolve: (result) => {
          leave()
          resolve(result)
        },
      }
      show(question)
    })

  return {
    open(question, show, ended) {
      const result = turn.then(() => openNow(question, show, ended))
      turn = result.catch(() => undefined)
      return result
    },
    answer(questionId, answer) {
      if (current?.question.id !== questionId) return false
      const option = current.question.options.find((candidate) => candidate.value === answer.value)
      if (!option) return false
      if (option.text?.required && !answer.text?.trim()) return false
      current.resolve({ answer })
      return true
    },
  }
}

/** Answers a question with a countdown when its time has come. By the wall clock, since machines sleep. */
function countDown(question: Question, answer: (value: string) => void): () => void {
  const { countdown } = question
  if (!countdown) return () => {}
  const until = Date.parse(countdown.until)
  const timer = setInterval(() => {
    if (Date.now() >= until) answer(countdown.value)
  }, 500)
  return () => clearInterval(timer)
}
