import { planPathsOf } from '../../../documents/handoff.js'
import { findHandoff, writeSkillHandoff } from '../artifacts/handoff.js'
import type { PlanResult } from '../results.js'
import type { PhaseWork } from '../work.js'
import { choosePlan } from './choose-plan.js'
import { findPlan, type PlanFiles } from './find-plan.js'

/** A plan file (repo-relative) and what its planner thinks should be weighed before it is carried out. */
export interface PlannedFile {
  path: string
  concerns: string[]
  /** The outline that was approved before it was written out. */
  outline?: string
}

/**
 * The plan that a planner's reply stands for: the file that the reply or its handoff names, or that was written
 * meanwhile. Undefined when there is none. A handoff that it left out is written. `before` is what was there before
 * the dispatch, and the ISO time at which it began.
 */
export async function planOfReply(
  work: PhaseWork,
  round: number,
  result: PlanResult,
  before: { files: PlanFiles; at: string },
): Promise<PlannedFile | undefined> {
  const { run } = work
  const seen = await run.step(`look-${round}`, () => look(work, result, before))
  const { found, concerns } = seen
  if (found.kind === 'none') return undefined
  const path = found.kind === 'found' ? found.path : await choosePlan(work, `which-${round}`, found)
  if (!seen.handoff) {
    await run.step(`handoff-${round}`, () => writePlanningHandoff(work, { path, concerns }))
  }
  return { path, concerns }
}

async function look(
  { tools, state, phase }: PhaseWork,
  result: PlanResult,
  before: { files: PlanFiles; at: string },
) {
  const handoff = await findHandoff(tools, 'harness-planning', before.at)
  const fresh = handoff?.fresh ? handoff.handoff : undefined
  const named = [result.planPath, ...(fresh ? planPathsOf(fresh) : [])].filter(Boolean)
  const found = await findPlan(tools, state, phase, { named, before: before.files, at: before.at })
  const concerns = [...new Set([...result.concerns, ...(fresh?.concerns ?? [])])]
  return { found, concerns, handoff: fresh !== undefined }
}

function writePlanningHandoff({ tools, phase }: PhaseWork, plan: PlannedFile): Promise<void> {
  return writeSkillHandoff(tools, {
    timestamp: tools.now().toISOString(),
    fromSkill: 'harness-planning',
    phase: 'VALIDATE',
    summary: `Plan for ${phase.label}: ${plan.path}`,
    completed: [`Plan for ${phase.label}`],
    pending: [],
    concerns: plan.concerns,
    decisions: [],
    blockers: [],
    contextKeywords: [],
    planPath: plan.path,
  })
}
