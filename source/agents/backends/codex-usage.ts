import type { AgentEvent } from '../agent.js'
import { type Fields, fieldsOf, numberIn } from '../fields.js'

export type UsageEvent = Extract<AgentEvent, { type: 'usage' }>

/** Tokens as codex counts them: cached ones are part of the input. */
export interface Counted {
  input: number
  cached: number
  output: number
}

const zero: Counted = { input: 0, cached: 0, output: 0 }

/** Undefined where nothing is counted. */
export function countedOf(value: unknown): Counted | undefined {
  const counts: Fields = fieldsOf(value)
  const input = numberIn(counts, 'inputTokens') ?? numberIn(counts, 'input_tokens')
  const output = numberIn(counts, 'outputTokens') ?? numberIn(counts, 'output_tokens')
  if (input === undefined || output === undefined) return undefined
  const cached = numberIn(counts, 'cachedInputTokens') ?? numberIn(counts, 'cached_input_tokens') ?? 0
  return { input, cached, output }
}

export function minus(a: Counted, b: Counted): Counted {
  return {
    input: Math.max(0, a.input - b.input),
    cached: Math.max(0, a.cached - b.cached),
    output: Math.max(0, a.output - b.output),
  }
}

/** What was used since the last count; autopilot counts cached tokens apart from the input. */
export function usageSince(total: Counted, before: Counted = zero): UsageEvent {
  const used = minus(total, before)
  return {
    type: 'usage',
    scope: 'turn',
    input: Math.max(0, used.input - used.cached),
    output: used.output,
    cached: used.cached,
  }
}
