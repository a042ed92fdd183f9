import { beginPass, type PassInput } from '../pass.js'
import type { PassResult } from '../phase-return.js'
import type { PhasePlan } from '../plans.js'
import { assess } from '../steps/assess.js'
import { execute } from '../steps/execute.js'
import { assessed, failed } from '../steps/result.js'
import type { PhaseWork } from '../work.js'

const leftOut = ['preflight', 'triage', 'research', 'plan', 'plan_check'] as const

/** One part of a phase, from EXECUTE to RATE, in its work tree. Its criteria are those of its tasks. */
export async function runPart(
  work: PhaseWork,
  input: PassInput,
  plan: PhasePlan,
  tasks: readonly string[],
): Promise<PassResult> {
  const pass = beginPass(work, input)
  for (const step of leftOut)
    Object.assign(pass.log.steps[step], { status: 'skipped', skip_reason: 'part of a phase' })
  const own: PhasePlan = { ...plan, tasks: plan.tasks.filter(({ id }) => tasks.includes(id)), criteria: [] }
  const executed = await execute(pass, own)
  if (!executed.ok) return failed(pass, executed)
  const opinion = await assess(pass, {
    plan: own,
    criteria: own.tasks.flatMap(({ criteria }) => criteria),
    executed: executed.executed,
    triageEvidence: undefined,
    debugLeft: work.tools.settings.circuit_breaker.max_debug_attempts_per_phase,
    // A part has the plan of its phase.
    replanLeft: 0,
    debugsBefore: 0,
  })
  if (opinion.next === 'failed') return failed(pass, opinion.failure)
  if (opinion.next === 're-plan') throw new Error('a part was to be planned anew')
  return assessed(pass, opinion, executed.executed)
}
