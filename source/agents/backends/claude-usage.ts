import type { TokenUsage } from '../agent.js'
import { addUsage, noUsage } from '../events.js'
import { countIn, type Fields, fieldsIn, fieldsOf, numberIn } from '../fields.js'
import { withValue } from '../read-only-map.js'

// What a conversation costs. Totals of Claude Code go on over a resume, and usage of assistant lines repeats: billed
// is what each result line says was used since the one before (docs/agents.md, "Claude Code").

export interface ClaudeBill {
  total: TokenUsage
  /** Total price as it was told last; undefined where it began before this process and is not told yet. */
  priced?: number
  /** Answers of the model since the last result line, by message. */
  open: ReadonlyMap<string, TokenUsage>
}

/** @param isNew a conversation that begins here, so that its total price starts at 0 */
export function openBill(isNew: boolean): ClaudeBill {
  return { total: noUsage, open: new Map(), ...(isNew ? { priced: 0 } : {}) }
}

/** What a result line adds. */
export function billResult(bill: ClaudeBill, result: Fields): [ClaudeBill, TokenUsage] {
  const models = result.model_usage_since_last_result
  const priced = numberIn(result, 'total_cost_usd') ?? bill.priced
  const used =
    typeof models === 'object' && models !== null
      ? Object.values(models).map(fieldsOf).map(modelUsage).reduce(plus, noUsage)
      : { ...messageUsage(fieldsIn(result, 'usage')), ...since(bill.priced, priced) }
  const total = plus(bill.total, used)
  return [{ total, open: new Map(), ...(priced === undefined ? {} : { priced }) }, used]
}

/** The model began an answer, or told its count so far. */
export function billAnswer(bill: ClaudeBill, message: string, usage: Fields): ClaudeBill {
  return { ...bill, open: withValue(bill.open, message, messageUsage(usage)) }
}

/** What was used since the last result line; undefined for nothing. Without a price, as only results tell it. */
export function billRest(bill: ClaudeBill): [ClaudeBill, TokenUsage | undefined] {
  if (bill.open.size === 0) return [bill, undefined]
  const used = [...bill.open.values()].reduce(plus, noUsage)
  return [{ ...bill, total: plus(bill.total, used), open: new Map() }, used]
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
