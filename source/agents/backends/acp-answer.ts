import { z } from 'zod'
import type { Failure, TokenUsage } from '../agent.js'
import { noUsage } from '../events.js'

// The answer to `session/prompt` (docs/agents.md, "Agent Client Protocol").

const count = z.number().nonnegative().catch(0)

const usageSchema = z.object({ inputTokens: count, outputTokens: count, cachedReadTokens: count })

/** gemini counts in a place of its own. */
const metaSchema = z.object({
  quota: z.object({ token_count: z.object({ input_tokens: count, output_tokens: count }) }),
})

const answerSchema = z.object({
  stopReason: z.string(),
  usage: usageSchema.nullish().catch(undefined),
  _meta: metaSchema.nullish().catch(undefined),
})

export interface Answer {
  /** Undefined where the agent says that it came to its end. */
  failure: Failure | undefined
  usage: TokenUsage
}

export function readAnswer(value: unknown): Answer {
  const read = answerSchema.safeParse(value)
  if (!read.success) {
    const message = 'The answer of the agent to its prompt cannot be read.'
    return { failure: { error: 'crash', message, retry: 'now' }, usage: noUsage }
  }
  const { stopReason, usage, _meta } = read.data
  return { failure: failureOf(stopReason), usage: usage ? countsOf(usage) : countsOfMeta(_meta) }
}

function countsOf(usage: z.infer<typeof usageSchema>): TokenUsage {
  return { input: usage.inputTokens, output: usage.outputTokens, cached: usage.cachedReadTokens }
}

function countsOfMeta(meta: z.infer<typeof metaSchema> | null | undefined): TokenUsage {
  if (!meta) return noUsage
  const { input_tokens: input, output_tokens: output } = meta.quota.token_count
  return { input, output, cached: 0 }
}

function failureOf(stopReason: string): Failure | undefined {
  switch (stopReason) {
    case 'end_turn':
      return undefined
    case 'max_turn_requests':
      return { error: 'turns', message: 'The agent used up its turns.', retry: 'never' }
    case 'max_tokens':
      return { error: 'context', message: 'The agent reached the end of its context.', retry: 'never' }
    case 'refusal':
      return { error: 'refused', message: 'The agent refused to do this.', retry: 'never' }
    case 'cancelled':
      return { error: 'aborted', message: 'The agent broke off its turn.', retry: 'now' }
    default: {
      const message = `The agent stopped for a reason that is not known here: ${stopReason}.`
      return { error: 'crash', message, retry: 'now' }
    }
  }
}
