import type { Usage } from '../../view/view.js'
import type { DispatchLimits } from '../tools.js'

// Bounds of tokens, cost and turns, per dispatch, phase and run (docs/agents.md, "Budgets"). A reached bound is a
// question, not a crash; raising it doubles it, for its own scope only.

/** A bound by its name in the user's settings. */
export type Bound = 'usd' | 'tokens' | 'turns' | 'phaseUsd' | 'phaseTokens' | 'runUsd' | 'runTokens'

export type BudgetName = 'usd' | 'tokens' | 'turns'
export type BudgetScope = 'dispatch' | 'phase' | 'run'

/** A budget that is used up. `limit` and `used` are US dollars, tokens in and out, or turns. */
export interface ReachedBudget {
  name: BudgetName
  scope: BudgetScope
  limit: number
  used: number
}

/** What one raise holds for: this dispatch with its repeated tries, this phase, or the whole run. */
export type RaiseScope = { kind: 'dispatch'; id: string } | { kind: 'phase'; id: string } | { kind: 'run' }

export interface Raise {
  bound: Bound
  scope: RaiseScope
}

const bounds: Record<Bound, { name: BudgetName; scope: BudgetScope }> = {
  usd: { name: 'usd', scope: 'dispatch' },
  tokens: { name: 'tokens', scope: 'dispatch' },
  turns: { name: 'turns', scope: 'dispatch' },
  phaseUsd: { name: 'usd', scope: 'phase' },
  phaseTokens: { name: 'tokens', scope: 'phase' },
  runUsd: { name: 'usd', scope: 'run' },
  runTokens: { name: 'tokens', scope: 'run' },
}

export function isBound(word: unknown): word is Bound {
  return typeof word === 'string' && Object.hasOwn(bounds, word)
}

/** The settings' name of a budget. */
export function boundOf(budget: Pick<ReachedBudget, 'name' | 'scope'>): Bound {
  const found = (Object.keys(bounds) as Bound[]).find(
    (bound) => bounds[bound].name === budget.name && bounds[bound].scope === budget.scope,
  )
  if (found === undefined) throw new Error(`there is no budget of ${budget.name} for a ${budget.scope}`)
  return found
}

/** What a bound holds for, in the dispatch `dispatch` of the phase `phase` (ids). */
export function scopeOf(bound: Bound, place: { dispatch: string; phase: string }): RaiseScope {
  switch (bounds[bound].scope) {
    case 'dispatch':
      return { kind: 'dispatch', id: place.dispatch }
    case 'phase':
      return { kind: 'phase', id: place.phase }
    case 'run':
      return { kind: 'run' }
  }
}

const units: Record<BudgetName, string> = { usd: 'US dollars', tokens: 'tokens', turns: 'turns' }

export function budgetText(reached: ReachedBudget): string {
  const number = (value: number) => (reached.name === 'usd' ? value.toFixed(2) : String(value))
  return `${number(reached.used)} of ${number(reached.limit)} ${units[reached.name]} of this ${reached.scope} are used.`
}

/** What counts against the bounds: before this dispatch in its phase and in the run, and of this dispatch. */
export interface Spent {
  phase: Usage
  run: Usage
  dispatch: Usage
}

const tokens = (usage: Usage) => usage.inputTokens + usage.outputTokens

/** The first bound of tokens or cost that is reached. `raises` are those that hold here. */
export function reachedBudget(
  limits: DispatchLimits,
  raises: readonly Raise[],
  spent: Spent,
): ReachedBudget | undefined {
  const used: Record<Exclude<Bound, 'turns'>, number> = {
    usd: spent.dispatch.usd ?? 0,
    tokens: tokens(spent.dispatch),
    phaseUsd: (spent.phase.usd ?? 0) + (spent.dispatch.usd ?? 0),
    phaseTokens: tokens(spent.phase) + tokens(spent.dispatch),
    runUsd: (spent.run.usd ?? 0) + (spent.dispatch.usd ?? 0),
    runTokens: tokens(spent.run) + tokens(spent.dispatch),
  }
  for (const bound of Object.keys(used) as (keyof typeof used)[]) {
    const limit = raisedLimit(limits, raises, bound)
    if (limit !== undefined && used[bound] >= limit) return { ...bounds[bound], limit, used: used[bound] }
  }
  return undefined
}

/** The bound as it is now: twice as much for each raise that holds here. Undefined where none was set. */
export function raisedLimit(
  limits: DispatchLimits,
  raises: readonly Raise[],
  bound: Bound,
): number | undefined {
  const limit = limits[bound]
  return limit === undefined ? undefined : limit * 2 ** raises.filter((raise) => raise.bound === bound).length
}

/** Raises on record that hold in a phase: its own and those of the run, not those of other phases or dispatches. */
export function raisesInPhase(raises: readonly Raise[], phase: string): Raise[] {
  return raises.filter(({ scope }) => scope.kind === 'run' || (scope.kind === 'phase' && scope.id === phase))
}

/**
 * A reached budget as a journal holds it. Journals of 0.1.0 say the setting's name where there is now a name and a
 * scope.
 */
export function recordedBudget(recorded: unknown): ReachedBudget | undefined {
  if (typeof recorded !== 'object' || recorded === null) return undefined
  const budget = recorded as ReachedBudget & { name: string }
  if (budget.scope !== undefined) return budget
  return isBound(budget.name) ? { ...budget, ...bounds[budget.name] } : undefined
}
