import type { Answer, Question } from '../view/question.js'
import { QuestionWithdrawn, RunStopped } from './stopped.js'

/** Where open questions wait for a key. One is shown at a time; others queue behind it, none is lost. */
export interface GateDesk {
  /**
   * Shows the question when it is its turn and resolves with the answer. Throws RunStopped after a stop, and
   * QuestionWithdrawn once `ended` aborts, shown or not.
   */
  open(question: Question, ended?: AbortSignal): Promise<{ answer: Answer }>
  /** False if that question is not the shown one, or the answer does not fit it. */
  answer(questionId: string, answer: Answer): boolean
}

interface Waiting {
  question: Question
  settle(result: { answer: Answer } | { error: Error }): void
}

/** `show` is called with the question that is to be on the screen, and with undefined when there is none. */
export function createGateDesk(
  signal: AbortSignal,
  show: (question: Question | undefined) => void,
): GateDesk {
  const queue: Waiting[] = []
  let stopClock = () => {}

  function showFirst(): void {
    stopClock()
    const first = queue[0]
    // After a stop nobody is asked any more; what waits is asked again on resume.
    show(signal.aborted ? undefined : first?.question)
    stopClock =
      first && !signal.aborted
        ? countDown(first.question, (value) => first.settle({ answer: { value } }))
        : () => {}
  }

  function leave(waiting: Waiting): void {
    const at = queue.indexOf(waiting)
    queue.splice(at, 1)
    if (at === 0) showFirst()
  }

  return {
    open(question, ended) {
      if (signal.aborted) return Promise.reject(new RunStopped('key'))
      if (ended?.aborted) return Promise.reject(new QuestionWithdrawn())
      return new Promise((resolve, reject) => {
        const stop = () => waiting.settle({ error: new RunStopped('key') })
        const withdraw = () => waiting.settle({ error: new QuestionWithdrawn() })
        const waiting: Waiting = {
          question,
          settle(result) {
            signal.removeEventListener('abort', stop)
            ended?.removeEventListener('abort', withdraw)
            leave(waiting)
            if ('error' in result) reject(result.error)
            else resolve(result)
          },
        }
        signal.addEventListener('abort', stop, { once: true })
        ended?.addEventListener('abort', withdraw, { once: true })
        queue.push(waiting)
        if (queue.length === 1) showFirst()
      })
    },
    answer(questionId, answer) {
      const first = queue[0]
      if (first?.question.id !== questionId) return false
      const option = first.question.options.find((candidate) => candidate.value === answer.value)
      if (!option) return false
      if (option.text?.required && !answer.text?.trim()) return false
      first.settle({ answer })
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
