import { crashMessage, spawnMessage, timeoutMessage } from '../processes/child-end.js'
import type { ChildExit } from '../processes/supervisor.js'
import type { Failure, Outcome, TokenUsage } from './agent.js'
import { cappedText } from './border.js'

// The rule by which the end of a program is judged, the same for every backend (docs/agents.md, "Results"). No single sign makes
// a success: the program has to say so, to exit with 0, and not to have been stopped by us.

export const stoppedByUs: Failure = { error: 'aborted', message: 'The agent was stopped.', retry: 'now' }

/** Text of a finished agent that is handed on, in characters from its end. */
const textTail = 64 * 1024
/** Characters of the words of a result. */
const rawCap = 16 * 1024

/** A result with the text of the turn; `raw` is the words of the result, where they are not in the text. */
interface Done {
  result: unknown
  text: string
  raw?: string
  others?: readonly unknown[]
}

/** What the program itself said of its last turn before it ended. */
export type LastWords =
  /** That it failed. */
  | { said: 'failure'; failure: Failure }
  /** That it is done, with or without a result. Counts with exit code 0 only, else `hasResult` is told with the crash. */
  | ({ said: 'done'; hasResult?: boolean } & Done)
  /** That it is done, but in a way that does not count. */
  | { said: 'flawed'; failure: Failure; hasResult?: boolean }
  /** Nothing of the kind; told is what is missing. */
  | { said: 'nothing'; missing: string }

export interface Ending {
  exit: ChildExit
  words: LastWords
  /** Why we ended the turn, whatever the program says of it then. */
  ours?: Failure
  /** The name that the program was started with, where, its wall clock in milliseconds. */
  file: string
  cwd: string
  wallMs: number
  /** Said in addition when the program fell silent. */
  silenceHint?: string
  /** Told of an exit code that means a wrong input, such as a conversation that does not exist. */
  isWrongInput?: boolean
  usage: TokenUsage
}

/** What a turn came to that ended with its process. */
export function outcomeOfProcess(ending: Ending): Outcome {
  const failure = failureOf(ending)
  if (failure) return { ok: false, ...failure, usage: ending.usage }
  const { words, usage } = ending
  if (words.said !== 'done') throw new Error('A program that said nothing was taken for a success.')
  return successOf(words, usage)
}

export function successOf(done: Done, usage: TokenUsage): Outcome {
  const { result, text, raw, others = [] } = done
  return {
    ok: true,
    result,
    text: text.slice(-textTail),
    ...(raw === undefined ? {} : { raw: cappedText(raw, rawCap) }),
    usage,
    ...(others.length > 0 ? { others } : {}),
  }
}

function failureOf({ exit, words, ours, ...about }: Ending): Failure | undefined {
  if (exit.spawnError) {
    const message = spawnMessage(exit.spawnError, about.file, about.cwd)
    return { error: 'spawn', message, retry: 'never' }
  }
  if (ours) return ours
  if (exit.stopped === 'aborted') return stoppedByUs
  if (exit.stopped) {
    const hint = exit.stopped === 'idle' && about.silenceHint ? ` ${about.silenceHint}` : ''
    return { error: 'timeout', message: `${timeoutMessage(exit.stopped, about.wallMs)}${hint}`, retry: 'now' }
  }
  if (words.said === 'failure') return words.failure
  if (exit.code !== 0) return crashOf(exit, words, about.isWrongInput ?? false)
  if (words.said === 'nothing') return { error: 'crash', message: words.missing, retry: 'now' }
  return words.said === 'flawed' ? words.failure : undefined
}

function crashOf(exit: ChildExit, words: LastWords, isWrongInput: boolean): Failure {
  const hasResult = (words.said === 'done' || words.said === 'flawed') && words.hasResult === true
  const message = crashMessage(exit, hasResult)
  return isWrongInput
    ? { error: 'input', message, retry: 'never' }
    : { error: 'crash', message, retry: 'now' }
}
