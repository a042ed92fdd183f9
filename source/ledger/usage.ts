import { addUsage, noUsage, type Usage } from '../view/usage.js'
import type { JournalRecord } from './journal.js'

/** Tokens and cost as a finished dispatch reports them. */
export interface ReplyUsage {
  usage: Usage
}

/** The same in journals of 0.1.0. */
interface OldUsage {
  input: number
  output: number
  usd?: number
}

export function usageOfReply({ usage }: { usage: Usage | OldUsage }): Usage {
  const [inputTokens, outputTokens] =
    'input' in usage ? [usage.input, usage.output] : [usage.inputTokens, usage.outputTokens]
  return { inputTokens, outputTokens, ...(usage.usd === undefined ? {} : { usd: usage.usd }) }
}

/** What one record says was used, and in which phase; undefined for all other records. */
function spentIn(record: JournalRecord): { phase: string; usage: Usage } | undefined {
  if (record.type === 'agent') return { phase: record.phase, usage: usageOfReply(record.reply as ReplyUsage) }
  if (record.type === 'spent') return { phase: record.phase, usage: record.usage }
  return undefined
}

/** Tokens and cost of every dispatch in a journal, those that were stopped included. */
export function usageOf(records: readonly JournalRecord[]): Usage {
  return records.reduce((total, record) => addUsage(total, spentIn(record)?.usage ?? noUsage), noUsage)
}

/** A copy with what was used in one phase added. */
export function withPhaseUsage(
  byPhase: ReadonlyMap<string, Usage>,
  phase: string,
  usage: Usage,
): Map<string, Usage> {
  return new Map(byPhase).set(phase, addUsage(byPhase.get(phase) ?? noUsage, usage))
}

/** The same by id of the phase. */
export function usageByPhase(records: readonly JournalRecord[]): Map<string, Usage> {
  const byPhase = new Map<string, Usage>()
  for (const record of records) {
    const spent = spentIn(record)
    if (spent) byPhase.set(spent.phase, addUsage(byPhase.get(spent.phase) ?? noUsage, spent.usage))
  }
  return byPhase
}
