import type { Usage } from './usage.js'

/** A bound of what may be used. `limit` is in US dollars, tokens in and out, minutes or turns. */
export interface Budget {
  name: 'usd' | 'tokens' | 'minutes' | 'turns'
  scope: 'run' | 'phase' | 'dispatch'
  /** Of a dispatch: whose; absent where it binds everyone. */
  persona?: string
  /** Id of the phase that it is for. */
  phase?: string
  limit: number
  /** The workflow tells by itself how it fills. */
  isTold?: boolean
}

/** What is used of a budget of a run or a phase, in its unit. */
export function usedOf(
  { name, scope, phase }: Budget,
  usage: Usage,
  phaseUsage: ReadonlyMap<string, Usage>,
): number {
  const used = scope === 'run' ? usage : phaseUsage.get(phase ?? '')
  if (!used) return 0
  return name === 'usd' ? (used.usd ?? 0) : used.inputTokens + used.outputTokens
}
