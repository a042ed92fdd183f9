import type { Machine } from '../run/machine.js'
import type { Budget } from '../view/budget.js'
import type { DispatchLimits } from '../workflows/tools.js'
import type { Workflow } from '../workflows/workflow.js'

/** The view of a machine says which budgets bind it. */
export function withBudgets<State extends object>(
  machine: Machine<State>,
  workflow: Workflow<State>,
  limits: DispatchLimits,
): Machine<State> {
  const ofDispatches = dispatchBudgets(workflow.personas, limits)
  return {
    ...machine,
    view: (state) => {
      const view = machine.view(state)
      const own = workflow.budgets?.(state, limits, view.currentPhase) ?? []
      const budgets = [...(view.budgets ?? []), ...own, ...ofDispatches]
      return budgets.length === 0 ? view : { ...view, budgets }
    },
  }
}

/** Time and turns of one dispatch (docs/agents.md "Budgets"). Everyone has a time, set by the user or as it is usual. */
function dispatchBudgets(
  personas: Workflow<object>['personas'],
  { wallMinutes, turns }: DispatchLimits,
): Budget[] {
  const times = Object.entries(personas).map(
    ([persona, usual]): Budget => ({
      name: 'minutes',
      scope: 'dispatch',
      persona,
      limit: wallMinutes ?? usual.wallMinutes,
    }),
  )
  return turns === undefined ? times : [...times, { name: 'turns', scope: 'dispatch', limit: turns }]
}
