import { addUsage, noUsage, type Usage } from '../view/usage.js'

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

/** A copy with what was used in one phase added. */
export function withPhaseUsage(
  byPhase: ReadonlyMap<string, Usage>,
  phase: string,
  usage: Usage,
): Map<string, Usage> {
  return new Map(byPhase).set(phase, addUsage(byPhase.get(phase) ?? noUsage, usage))
}
