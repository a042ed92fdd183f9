import {
  type SplitDetails,
  type SplitPart,
  splitDetails,
  splitTasks,
  tooManyTasks,
} from '../decisions/split.js'
import { orderTask, type PhasePlan } from '../plans.js'

/** What a phase is split into, and by which plan. */
export interface PhaseParts {
  plan: PhasePlan
  parts: SplitPart[]
  details: SplitDetails
}

/**
 * The parts of a plan that is too much for one piece; undefined where it is not, or hangs together. Pure. `roadmapIds`:
 * what no part may be called.
 */
export function partsOf(
  phase: string,
  plan: PhasePlan,
  roadmapIds: readonly string[],
): PhaseParts | undefined {
  const auto = plan.tasks.filter(({ type }) => type === 'auto').map(orderTask)
  const reason = tooManyTasks(auto)
  const parts = reason === undefined ? undefined : splitTasks(phase, auto, roadmapIds)
  if (reason === undefined || parts === undefined) return undefined
  // What a person has to do comes when the rest is there.
  const human = plan.tasks.filter(({ type }) => type !== 'auto').map(({ id }) => id)
  const all = parts.map((part, at) =>
    at === parts.length - 1 ? { ...part, tasks: [...part.tasks, ...human] } : part,
  )
  return { plan, parts: all, details: splitDetails(reason, all, auto) }
}
