import type { TokenUsage } from '../agents/agent.js'

// What tokens cost and how much a model can hold. Prices are list prices in US dollars per million tokens.

export interface Price {
  input: number
  output: number
  /** Reading from the prompt cache. */
  cacheRead: number
  /** Writing to the prompt cache, kept for five minutes. */
  cacheWrite: number
}

export interface ModelFacts {
  /** Undefined where nobody has told: then no cost is shown and no budget can be held. */
  price?: Price | undefined
  /** Tokens that one conversation can hold. */
  contextTokens: number
  /** Tokens of one answer that are asked for. */
  maxTokens: number
}

/** What one request was billed, as the API counts it: the four numbers do not overlap. */
export interface Billed {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

interface Row extends ModelFacts {
  model: RegExp
  /** Haiku 5.5 costs more from this many tokens of input on. */
  long?: { above: number; price: Price }
}

function price(input: number, output: number, cacheRead: number): Price {
  return { input, output, cacheRead, cacheWrite: input * 1.25 }
}

const large = { contextTokens: 1_000_000, maxTokens: 32_000 }
const usual = { contextTokens: 200_000, maxTokens: 32_000 }

/** The first row that matches counts. */
const rows: readonly Row[] = [
  { model: /^claude-(fable|mythos)-5-[1-9]/, price: price(10, 50, 0.25), ...large },
  { model: /^claude-(fable|mythos)-5/, price: price(10, 50, 1), ...large },
  { model: /^claude-opus-5-[5-9]/, price: price(4, 20, 0.2), ...large },
  { model: /^claude-opus-5/, price: price(5, 25, 0.5), ...large },
  { model: /^claude-opus-4-[5-9]/, price: price(5, 25, 0.5), ...usual },
  { model: /^claude-sonnet-5-[5-9]/, price: price(2, 10, 0.1), ...large },
  { model: /^claude-sonnet-5/, price: price(2, 10, 0.2), ...large },
  { model: /^claude-sonnet-4/, price: price(3, 15, 0.3), ...usual },
  {
    model: /^claude-haiku-5-[5-9]/,
    price: price(0.1, 0.5, 0.01),
    long: { above: 100_000, price: price(0.5, 2.5, 0.05) },
    ...large,
  },
  { model: /^claude-haiku-4/, price: price(1, 5, 0.1), ...usual },
]

/** A model that nobody here knows is taken for a local one: a modest window and answers that fit it. */
const unknown: ModelFacts = { contextTokens: 128_000, maxTokens: 8_192 }

/** @param own what the person configured for the model; it goes before the table */
export function factsOf(
  model: string,
  own: { [Key in keyof ModelFacts]?: ModelFacts[Key] | undefined } = {},
): ModelFacts {
  const { price, contextTokens, maxTokens } = rows.find((row) => row.model.test(model)) ?? unknown
  return {
    price: own.price ?? price,
    contextTokens: own.contextTokens ?? contextTokens,
    maxTokens: own.maxTokens ?? maxTokens,
  }
}

/** Tokens as they are shown, and their cost where the price is known. Cache writes count as input. */
export function usageOf(model: string, billed: Billed, own?: Price): TokenUsage {
  const row = rows.find((each) => each.model.test(model))
  const prompt = billed.input + billed.cacheRead + billed.cacheWrite
  const isLong = row?.long !== undefined && prompt > row.long.above
  const rate = own ?? (isLong ? row.long?.price : row?.price)
  const tokens = {
    input: billed.input + billed.cacheWrite,
    output: billed.output,
    cached: billed.cacheRead,
  }
  if (!rate) return tokens
  const usd =
    (billed.input * rate.input +
      billed.output * rate.output +
      billed.cacheRead * rate.cacheRead +
      billed.cacheWrite * rate.cacheWrite) /
    1_000_000
  return { ...tokens, usd }
}
