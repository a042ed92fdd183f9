import type { NamedTask } from '../../../documents/plan-losses.js'
import { dispatchOrInstead, type PersonaOutcome } from '../../dispatch/persona.js'
import { specForAgents } from '../artifacts/spec.js'
import { plannerPrompt } from '../personas/planner.js'
import { phaseList } from '../phases.js'
import { choosePlanFile } from '../questions/plan.js'
import { type PlanResult, planResultSchema } from '../results.js'
import type { HarnessState } from '../state/state.js'
import type { PhaseWork } from '../work.js'
import { commonBrief, phaseFields, phaseOf, scratchpadField } from './briefs.js'
import { dispatchSetting } from './setting.js'

/** What one planner dispatch is asked for. */
export interface PlannerOrder {
  /** Where the plan is to be written, repo-relative. */
  path: string
  /** Only the outline this time. */
  outline: boolean
  /** The outline that was approved. */
  skeleton?: string
  /** The tasks of the outline that was shown last. */
  shown?: readonly NamedTask[]
  /** What the person wants changed in the one before. */
  note?: string
  /** Why the one before did not count. */
  reason?: string
}

/** Sends the planner; the person may name a plan file instead when it does not succeed. */
export async function dispatchPlanner(
  work: PhaseWork,
  round: number,
  order: PlannerOrder,
): Promise<PersonaOutcome<PlanResult>> {
  const { tools, phase } = work
  const spec = await specForAgents(work)
  const { path, note } = order
  const skeleton = order.outline || order.skeleton === undefined ? {} : { approvedSkeleton: order.skeleton }
  const shared = { planPath: path, ...scratchpadField(tools, phase), ...skeleton }
  return dispatchOrInstead<HarnessState, PlanResult>(dispatchSetting(work), `planner-${round}`, {
    persona: 'harness-planner',
    title: `Plan ${phase.label}`,
    attempt: round,
    phase: phaseOf(work),
    expects: planResultSchema,
    access: 'full',
    failedTitle: `${phase.label}: planning did not succeed`,
    instead: [choosePlanFile],
    ...(order.reason === undefined ? {} : { reason: order.reason }),
    brief: { ...commonBrief(work, spec), ...shared, expects: 'plan', ...(note ? { note } : {}) },
    prompt: (begin) =>
      plannerPrompt({
        ...phaseFields(work, spec, begin),
        ...shared,
        phaseDescription: spec.description,
        phases: phaseList(work.state),
        date: path.slice('docs/plans/'.length, 'docs/plans/'.length + 10),
        ...(note ? { revision: { note } } : {}),
      }),
  })
}
