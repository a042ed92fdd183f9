import type { DispatchGrounds } from '../dispatch/tools.js'
import { isChecking } from '../evidence/contract.js'
import { groundOf } from './grounds.js'
import { hiddenFrom } from './orders/may-see.js'
import type { Expects } from './results.js'
import { touchedLog } from './state/decisions.js'
import { phaseIds, phaseOf } from './state/phases.js'
import type { PlaybookState } from './state/schema.js'
import { handOver, ownChanges } from './steps/own-changes.js'
import type { PhaseWork } from './work.js'

/** What the dispatches of a phase may change, by their orders. */
export function dispatchGrounds(work: PhaseWork): DispatchGrounds<PlaybookState> {
  const { run, tools } = work
  return {
    of: async (persona, order) => {
      const { state } = run
      const plans = phaseIds(state).flatMap((id) => phaseOf(state, id).steps.plan.output ?? [])
      const found = groundOf(persona, order, {
        specPath: state.spec.path,
        roadmapPath: state.roadmap_path,
        approvedPlans: plans,
        records: [`${work.facts.dir}/tests/`],
        scratchpad: `${tools.place.sessionDir}/scratchpad/`,
        planned: plannedOf(order),
        isPart: work.cwd !== undefined,
      })
      const since = isChecking(found.contract) ? work.since : undefined
      const hidden = hiddenFrom(order.expects as Expects)
      return {
        ...found,
        ...(since ? { checksSince: since } : {}),
        hides: hidden.map((name) => `${work.facts.dir}/${name}`),
      }
    },
    beforehand: async () => (await ownChanges(work)).map(({ path }) => path),
    handOver: (key, paths) => handOver(work, key, paths),
    log: touchedLog,
  }
}

/** What the tasks of an order name. */
function plannedOf(order: Record<string, unknown>): string[] {
  const tasks = [order.task, ...(Array.isArray(order.tasks) ? order.tasks : [])]
  return tasks.flatMap((task) => {
    const files = (task as { files?: unknown } | undefined)?.files
    return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : []
  })
}
