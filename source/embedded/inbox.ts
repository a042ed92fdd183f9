import { type InputLine, inputLineSchema } from './protocol.js'

export interface Answer {
  optionId: string
  text?: string | undefined
}

/** What came in over stdin after the request, until somebody takes it. */
export interface Inbox {
  /** Reads one line; false when it is none of the protocol. */
  line(text: string): boolean
  /** Messages of the person that were not yet handed to the model, oldest first. */
  takeMessages(): string[]
  hasMessages(): boolean
  /** Settles with the answer to an ask; rejects when the signal fires first. */
  answerTo(askId: string, signal: AbortSignal): Promise<Answer>
}

/** @param interrupt called when the turn shall end */
export function createInbox(interrupt: () => void): Inbox {
  const messages: string[] = []
  const waiting = new Map<string, (answer: Answer) => void>()

  function take(line: InputLine): void {
    switch (line.t) {
      case 'answer':
        waiting.get(line.askId)?.({ optionId: line.optionId, text: line.text })
        return
      case 'send':
        messages.push(line.text)
        return
      case 'interrupt':
        interrupt()
    }
  }

  return {
    line(text) {
      const line = inputLineSchema.safeParse(parse(text))
      if (line.success) take(line.data)
      return line.success
    },
    takeMessages: () => messages.splice(0),
    hasMessages: () => messages.length > 0,
    answerTo(askId, signal) {
      return new Promise((resolve, reject) => {
        const stop = () => reject(signal.reason)
        if (signal.aborted) return stop()
        signal.addEventListener('abort', stop, { once: true })
        waiting.set(askId, (answer) => {
          waiting.delete(askId)
          signal.removeEventListener('abort', stop)
          resolve(answer)
        })
      })
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
