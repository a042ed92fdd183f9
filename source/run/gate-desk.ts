import type { Answer, Question } from './question.js'
import { RunStopped } from './stopped.js'

/** Where open questions wait for a key. One is open at a time; others queue behind it. */
export interface GateDesk {
  /** Shows the question when it is its turn and resolves with the answer; throws RunStopped after a stop. */
  open(question: Question, show: (question: Question) => void): Promise<{ answer: Answer }>
  /** False if that question is not the open one, or the answer does not fit it. */
  answer(questionId: string, answer: Answer): boolean
}

export function createGateDesk(signal: AbortSignal): GateDesk {
  let current: { question: Question; resolve: (result: { answer: Answer }) => void } | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const openNow = (question: Question, show: (question: Question) => void) =>
    new Promise<{ answer: Answer }>((resolve, reject) => {
      const stopClock = countDown(question, (value) => current?.resolve({ answer: { value } }))
      const stop = () => {
        current = undefined
        stopClock()
        reject(new RunStopped('key'))
      }
      if (signal.aborted) return stop()
      signal.addEventListener('abort', stop, { once: true })
      current = {
        question,
        resolve: (result) => {
          current = undefined
          stopClock()
          signal.removeEventListener('abort', stop)
          resolve(result)
        },
      }
      show(question)
    })

  return {
    open(question, show) {
      const result = turn.then(() => openNow(question, show))
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
