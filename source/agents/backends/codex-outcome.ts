import type { Outcome, TokenUsage } from '../agent.js'
import { lastJsonBlock } from '../result.js'
import type { StrictSchema } from './codex-schema.js'

/** Text of a finished turn that is handed on, in characters from its end. */
const textTail = 64 * 1024

export interface Finished {
  /** The last message of the agent. */
  text: string
  isResultExpected: boolean
  schema: StrictSchema | undefined
  usage: TokenUsage
}

/** A turn that codex says is complete. It needs a result where one is expected; if it fits is for the caller to say. */
export function finishedOutcome({ text, isResultExpected, schema, usage }: Finished): Outcome {
  const found = lastJsonBlock(text)
  if (isResultExpected && found === undefined) {
    const message = 'The agent ended its turn without a result: its last message holds no JSON block.'
    return { ok: false, error: 'schema', message, retry: 'now', usage }
  }
  const result = schema && found !== undefined ? schema.restore(found) : found
  return { ok: true, result, text: text.slice(-textTail), usage }
}

/** Said of a line that was too long to keep. */
export function skippedLine(bytes: number): string {
  return `a line of ${Math.ceil(bytes / (1024 * 1024))} MB was too long and is not read`
}
