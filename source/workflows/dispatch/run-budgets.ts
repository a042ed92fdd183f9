import type { Budget } from '../../view/budget.js'
import type { DispatchLimits } from '../tools.js'
import { type Bound, type Raise, raisedLimit, raisesInPhase } from './budgets.js'
import type { DecisionLog } from './tools.js'

const bounds: readonly (Omit<Budget, 'limit' | 'phase'> & { bound: Bound })[] = [
  { bound: 'runUsd', scope: 'run', name: 'usd' },
  { bound: 'runTokens', scope: 'run', name: 'tokens' },
  { bound: 'phaseUsd', scope: 'phase', name: 'usd' },
  { bound: 'phaseTokens', scope: 'phase', name: 'tokens' },
]

/**
 * The budgets of the user's settings that bind a run and its phase in work, doubled for each raise that holds there
 * (docs/agents.md, "Budgets"). Pure.
 */
export function budgetsOf(
  limits: DispatchLimits,
  raises: readonly Raise[],
  phase: string | undefined,
): Budget[] {
  return bounds.flatMap(({ bound, ...budget }) => {
    if (budget.scope === 'phase' && phase === undefined) return []
    const holding =
      budget.scope === 'run' ? raises.filter(({ scope }) => scope.kind === 'run') : raisesIn(raises, phase)
    const limit = raisedLimit(limits, holding, bound)
    if (limit === undefined) return []
    return [{ ...budget, limit, ...(budget.scope === 'phase' && phase !== undefined ? { phase } : {}) }]
  })
}

function raisesIn(raises: readonly Raise[], phase: string | undefined): Raise[] {
  return phase === undefined ? [] : raisesInPhase(raises, phase)
}

/** The same for a workflow, from where it keeps what was raised. */
export function budgetsWith<State>({ raises }: Pick<DecisionLog<State>, 'raises'>) {
  return (state: State | undefined, limits: DispatchLimits, phase: string | undefined): Budget[] =>
    budgetsOf(limits, state === undefined ? [] : raises(state), phase)
}
