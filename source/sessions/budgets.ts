import type { Machine } from '../run/machine.js'
import type { DispatchLimits } from '../workflows/tools.js'
import type { Workflow } from '../workflows/workflow.js'

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
      const own = workflow.budgets?.(state, limits, view.currentPhase) ?? []
      const budgets = [...(view.budgets ?? []), ...own]
      return budgets.length === 0 ? view : { ...view, budgets }
    },
  }
}
