import type { LastWords } from '../end-of-process.js'
import { lastJsonBlock } from '../result.js'
import type { StrictSchema } from './codex-schema.js'

/**
 * A turn that codex says is complete, with the last message of the agent. It needs a result where one is expected; if it
 * fits is for the caller to say.
 */
export function finishedWords(
  text: string,
  isResultExpected: boolean,
  schema: StrictSchema | undefined,
): Extract<LastWords, { said: 'done' | 'flawed' }> {
  const found = lastJsonBlock(text)
  if (isResultExpected && found === undefined) {
    const message = 'The agent ended its turn without a result: its last message holds no JSON block.'
    return { said: 'flawed', failure: { error: 'schema', message, retry: 'now' } }
  }
  return { said: 'done', result: schema && found !== undefined ? schema.restore(found) : found, text }
}
