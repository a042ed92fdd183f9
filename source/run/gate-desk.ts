import type { Answer, Question } from '../view/question.js'
import { QuestionWithdrawn, RunStopped } from './stopped.js'

/** Where open questions wait for a key. One is shown at a time; others queue behind it, none is lost. */
export interface GateDesk {
  /**
   * Shows the question when it is its turn and resolves with the answer. Throws RunStopped after a stop, and
   * QuestionWithdrawn once `ended` aborts, shown or not.
   */
  open(question: Question, ended?: AbortSignal): Promise<{ answer: Answer }>
  /**
   * The same, and the question stays on the screen until `keep` has put the answer on disk; resolves with what that
   * gives, or `again` where it is to be built anew.
   */
  keeping<Kept>(
    question: Question,
    ended: AbortSignal | undefined,
    keep: (answer: Answer) => Promise<Kept>,
  ): Promise<Kept | typeof again>
  /** Before all others, also one that is being kept: something stands in the way of writing. */
  urgent(question: Question): Promise<{ answer: Answer }>
  /** False if that question is not the shown one, or the answer does not fit it. */
  answer(questionId: string, answer: Answer): boolean
  /** What the shown question is about may have changed: it is built anew. False if it is not shown any more. */
  lookAgain(questionId: string): boolean
  /** Puts the shown question behind those that wait. False if it is not shown, or answered, or none waits. */
  askLater(questionId: string): boolean
}

/** Nothing was decided: what the question is about may have changed, so it is built anew. */
export const again = Symbol('again')

type Settled = { answer: Answer } | { lookAgain: true }

interface Waiting {
  question: Question
  /** A key has answered it; it is shown until that is on disk. */
  isAnswered: boolean
  settle(result: Settled | { error: Error }): void
}

/**
 * `show` is called with the question that is to be on the screen, or undefined when there is none, and with those that
 * wait behind it.
 */
export function createGateDesk(
  signal: AbortSignal,
  show: (question: Question | undefined, waiting: readonly Question[]) => void,
): GateDesk {
  const queue: Waiting[] = []
  let stopClock = () => {}

  function showFirst(): void {
    stopClock()
    const first = queue[0]
    // After a stop nobody is asked any more; what waits is asked again on resume.
    const [shown, ...others] = signal.aborted ? [] : queue.map((one) => one.question)
    show(shown, others)
    stopClock =
      first && !first.isAnswered && !signal.aborted
        ? countDown(first.question, (value) => first.settle({ answer: { value } }))
        : () => {}
  }

  function leave(waiting: Waiting): void {
    const at = queue.indexOf(waiting)
    queue.splice(at, 1)
    showFirst()
  }

  /** Waits for the key. `left` takes the question off the screen, after an answer and where there is none. */
  function wait(
    question: Question,
    ended: AbortSignal | undefined,
    first = false,
  ): Promise<Settled & { left(): void }> {
    if (signal.aborted) return Promise.reject(new RunStopped('key'))
    if (ended?.aborted) return Promise.reject(new QuestionWithdrawn())
    return new Promise((resolve, reject) => {
      const stop = () => waiting.settle({ error: new RunStopped('key') })
      const withdraw = () => waiting.settle({ error: new QuestionWithdrawn() })
      const waiting: Waiting = {
        question,
        isAnswered: false,
        settle(result) {
          if (waiting.isAnswered) return
          signal.removeEventListener('abort', stop)
          ended?.removeEventListener('abort', withdraw)
          waiting.isAnswered = true
          stopClock()
          if (!('error' in result)) return resolve({ ...result, left: () => leave(waiting) })
          leave(waiting)
          reject(result.error)
        },
      }
      signal.addEventListener('abort', stop, { once: true })
      ended?.addEventListener('abort', withdraw, { once: true })
      if (first) queue.unshift(waiting)
      else queue.push(waiting)
      showFirst()
    })
  }

  /** A question that is about no file has nothing to look at again: it is asked as it is. */
  async function simply(begin: () => ReturnType<typeof wait>): Promise<{ answer: Answer }> {
    for (;;) {
      const { left, ...settled } = await begin()
      left()
      if ('answer' in settled) return settled
    }
  }

  return {
    askLater: (questionId) => {
      const isLater = putLast(queue, questionId)
      if (isLater) showFirst()
      return isLater
    },
    open: (question, ended) => simply(() => wait(question, ended)),
    urgent: (question) => simply(() => wait(question, undefined, true)),
    async keeping(question, ended, keep) {
      const { left, ...settled } = await wait(question, ended)
      try {
        return 'answer' in settled ? await keep(settled.answer) : again
      } finally {
        left()
      }
    },
    answer(questionId, answer) {
      const first = queue[0]
      if (first?.question.id !== questionId || first.isAnswered) return false
      const option = first.question.options.find((candidate) => candidate.value === answer.value)
      if (!option) return false
      if (option.text?.required && !answer.text?.trim()) return false
      first.settle({ answer })
      return true
    },
    lookAgain(questionId) {
      const first = queue[0]
      if (first?.question.id !== questionId || first.isAnswered) return false
      first.settle({ lookAgain: true })
      return true
    },
  }
}

/** Puts the first one behind all others, if it is that question, open, and not the only one. */
function putLast(queue: Waiting[], questionId: string): boolean {
  const first = queue[0]
  if (first?.question.id !== questionId || first.isAnswered || queue.length < 2) return false
  queue.push(...queue.splice(0, 1))
  return true
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
