import {
  type SplitDetails,
  type SplitPart,
  splitDetails,
  splitTasks,
  tooManyTasks,
} from '../decisions/split.js'
import type { Pass } from '../pass.js'
import { orderTask, type PhasePlan } from '../plans.js'

/** What a phase is split into, and by which plan. */
export interface PhaseParts {
  plan: PhasePlan
  parts: SplitPart[]
  details: SplitDetails
}

/** The parts of a plan that is too much for one piece; undefined where it is not, or hangs together. Pure. */
export function partsOf({ facts, input, tools }: Pass, plan: PhasePlan): PhaseParts | undefined {
  if (input.only !== undefined || input.remediation !== undefined) return undefined
  const auto = plan.tasks.filter(({ type }) => type === 'auto').map(orderTask)
  const reason = tooManyTasks(auto)
  const parts = reason === undefined ? undefined : splitTasks(facts.id, auto, [...tools.outline.keys()])
  if (reason === undefined || parts === undefined) return undefined
  // What a person has to do comes when the rest is there.
  const human = plan.tasks.filter(({ type }) => type !== 'auto').map(({ id }) => id)
  const all = parts.map((part, at) =>
    at === parts.length - 1 ? { ...part, tasks: [...part.tasks, ...human] } : part,
  )
  return { plan, parts: all, details: splitDetails(reason, all, auto) }
}
