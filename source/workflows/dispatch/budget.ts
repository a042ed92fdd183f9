import type { Usage } from '../../view/view.js'
import type { DispatchLimits } from '../harness/tools.js'

// Bounds of tokens and cost, per dispatch, phase and run. A reached bound is a question, not a crash.

export type BudgetName = 'usd' | 'tokens' | 'phaseUsd' | 'phaseTokens' | 'runUsd' | 'runTokens'

export interface ReachedBudget {
  name: BudgetName
  limit: number
  used: number
}

const words: Record<BudgetName, string> = {
  usd: 'US dollars of this dispatch',
  tokens: 'tokens of this dispatch',
  phaseUsd: 'US dollars of this phase',
  phaseTokens: 'tokens of this phase',
  runUsd: 'US dollars of this run',
  runTokens: 'tokens of this run',
}

export function budgetText(reached: ReachedBudget): string {
  const number = (value: number) =>
    reached.name.toLowerCase().endsWith('usd') ? value.toFixed(2) : String(value)
  return `${number(reached.used)} of ${number(reached.limit)} ${words[reached.name]} are used.`
}

/** What counts against the bounds: before this dispatch, and of this dispatch. */
export interface Spent {
  phase: Usage
  run: Usage
  dispatch: Usage
}

const tokens = (usage: Usage) => usage.inputTokens + usage.outputTokens

/** The first bound that is reached; each raise doubles its bound. */
export function reachedBudget(
  limits: DispatchLimits,
  raised: readonly string[],
  spent: Spent,
): ReachedBudget | undefined {
  const used: Record<BudgetName, number> = {
    usd: spent.dispatch.usd ?? 0,
    tokens: tokens(spent.dispatch),
    phaseUsd: (spent.phase.usd ?? 0) + (spent.dispatch.usd ?? 0),
    phaseTokens: tokens(spent.phase) + tokens(spent.dispatch),
    runUsd: (spent.run.usd ?? 0) + (spent.dispatch.usd ?? 0),
    runTokens: tokens(spent.run) + tokens(spent.dispatch),
  }
  for (const name of Object.keys(used) as BudgetName[]) {
    const limit = raisedLimit(limits, raised, name)
    if (limit !== undefined && used[name] >= limit) return { name, limit, used: used[name] }
  }
  return undefined
}

/** The bound as it is now, after the raises that the person agreed to. */
export function raisedLimit(
  limits: DispatchLimits,
  raised: readonly string[],
  name: BudgetName,
): number | undefined {
  const limit = limits[name]
  return limit === undefined ? undefined : limit * 2 ** raised.filter((one) => one === name).length
}

export function phaseUsage(byPhase: ReadonlyMap<string, Usage>, phase: string): Usage {
  return byPhase.get(phase) ?? { inputTokens: 0, outputTokens: 0 }
}
