import type { Machine } from '../run/machine.js'
import type { Budget } from '../view/budget.js'
import { type Bound, type Raise, raisedLimit, raisesInPhase } from '../workflows/dispatch/budgets.js'
import type { DispatchLimits } from '../workflows/tools.js'
import type { Workflow } from '../workflows/workflow.js'

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

/** The view of a machine says which budgets bind it. */
export function withBudgets<State extends object>(
  machine: Machine<State>,
  workflow: Workflow<State>,
  limits: DispatchLimits,
): Machine<State> {
  return {
    ...machine,
    view: (state) => {
      const view = machine.view(state)
      const raises = (state && workflow.raises?.(state)) ?? []
      const budgets = [...(view.budgets ?? []), ...budgetsOf(limits, raises, view.currentPhase)]
      return budgets.length === 0 ? view : { ...view, budgets }
    },
  }
}
