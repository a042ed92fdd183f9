/** Tokens and cost, of one dispatch or of many. The one shape of it everywhere but in the events of an agent. */
export interface Usage {
  inputTokens: number
  outputTokens: number
  /** US dollars; absent when no backend reported a cost. */
  usd?: number
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

/** The sum; its cost is absent only if neither has one. */
export function addUsage(a: Usage, b: Usage): Usage {
  const usd = a.usd === undefined && b.usd === undefined ? undefined : (a.usd ?? 0) + (b.usd ?? 0)
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(usd === undefined ? {} : { usd }),
  }
}
