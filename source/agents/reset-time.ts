const longestMs = 8 * 24 * 60 * 60 * 1000

/**
 * When a usage limit ends, in epoch milliseconds. A time that is past or more than 8 days away is as good as unknown
 * (docs/agents.md, "Usage limits").
 */
export function plausibleReset(epochMs: number | undefined, nowMs: number): number | undefined {
  if (epochMs === undefined || !Number.isFinite(epochMs)) return undefined
  return epochMs > nowMs && epochMs <= nowMs + longestMs ? epochMs : undefined
}
