import type { TokenUsage } from '../agent.js'
import { addUsage, noUsage } from '../events.js'
import { countIn, type Fields, fieldsIn, fieldsOf, numberIn } from '../fields.js'

// What a conversation costs. Totals of Claude Code go on over a resume, and usage of assistant lines repeats: billed
// is what each result line says was used since the one before (agents.md section 2.1).

export interface ClaudeBill {
  /** What a result line adds. */
  result(result: Fields): TokenUsage
  /** The model began an answer, or told its count so far. */
  answering(message: string, usage: Fields): void
  /** What was used since the last result line; undefined for nothing. Without a price, as only results tell it. */
  rest(): TokenUsage | undefined
  total(): TokenUsage
}

/** @param isNew a conversation that begins here, so that its total price starts at 0 */
export function openBill(isNew: boolean): ClaudeBill {
  let total = noUsage
  let priced = isNew ? 0 : undefined
  const open = new Map<string, TokenUsage>()

  return {
    result(result) {
      const models = result.model_usage_since_last_result
      const before = priced
      priced = numberIn(result, 'total_cost_usd') ?? priced
      open.clear()
      const used =
        typeof models === 'object' && models !== null
          ? Object.values(models).map(fieldsOf).map(modelUsage).reduce(plus, noUsage)
          : { ...messageUsage(fieldsIn(result, 'usage')), ...since(before, priced) }
      total = plus(total, used)
      return used
    },
    answering(message, usage) {
      open.set(message, messageUsage(usage))
    },
    rest() {
      if (open.size === 0) return undefined
      const used = [...open.values()].reduce(plus, noUsage)
      open.clear()
      total = plus(total, used)
      return used
    },
    total: () => total,
  }
}

function since(before: number | undefined, now: number | undefined): { usd?: number } {
  return before === undefined || now === undefined ? {} : { usd: Math.max(0, now - before) }
}

function plus(sum: TokenUsage, used: TokenUsage): TokenUsage {
  return addUsage(sum, { type: 'usage', scope: 'turn', ...used })
}

function modelUsage(model: Fields): TokenUsage {
  return {
    input: countIn(model, 'inputTokens') + countIn(model, 'cacheCreationInputTokens'),
    output: countIn(model, 'outputTokens'),
    cached: countIn(model, 'cacheReadInputTokens'),
    usd: countIn(model, 'costUSD'),
  }
}

function messageUsage(usage: Fields): TokenUsage {
  return {
    input: countIn(usage, 'input_tokens') + countIn(usage, 'cache_creation_input_tokens'),
    output: countIn(usage, 'output_tokens'),
    cached: countIn(usage, 'cache_read_input_tokens'),
  }
}
