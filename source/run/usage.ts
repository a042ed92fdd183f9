import type { JournalRecord } from './journal.js'
import type { Usage } from './view.js'

/** Tokens and cost as a finished dispatch reports them. */
export interface ReplyUsage {
  usage: { input: number; output: number; usd?: number }
}

export function addUsage(a: Usage, b: Usage): Usage {
  const usd = a.usd === undefined && b.usd === undefined ? undefined : (a.usd ?? 0) + (b.usd ?? 0)
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(usd === undefined ? {} : { usd }),
  }
}

export function usageOfReply({ usage }: ReplyUsage): Usage {
  return {
    inputTokens: usage.input,
    outputTokens: usage.output,
    ...(usage.usd === undefined ? {} : { usd: usage.usd }),
  }
}

/** Tokens and cost of every finished dispatch in a journal. */
export function usageOf(records: readonly JournalRecord[]): Usage {
  return records.reduce<Usage>(
    (total, record) =>
      record.type === 'agent' ? addUsage(total, usageOfReply(record.reply as ReplyUsage)) : total,
    { inputTokens: 0, outputTokens: 0 },
  )
}
