import type { Replan } from './orders/fields.js'
import { type Attempts, beginPass, isApproved, type Pass, type PassInput } from './pass.js'
import type { PassResult } from './phase-return.js'
import { allCriteria, type PhasePlan, phaseCriteria, readPlans } from './plans.js'
import { mendInParts, mendingPartsOf } from './split/mend-parts.js'
import { partsOf } from './split/plan-parts.js'
import { withPhase } from './state/phases.js'
import type { StepName } from './state/schema.js'
import { type Assessed, assess } from './steps/assess.js'
import { commitDocuments } from './steps/documents-commit.js'
import { type Executed, execute } from './steps/execute.js'
import type { Outcome } from './steps/failure.js'
import { settleIntegrity } from './steps/integrity.js'
import { planAndCheck } from './steps/planning.js'
import { preflight } from './steps/preflight.js'
import { research, researchPathOf } from './steps/research.js'
import { assessed, failed, preflightFailed, splitRequest } from './steps/result.js'
import { skipStep } from './steps/step.js'
import { type Route, triage } from './steps/triage.js'
import { type PhaseWork, save, under } from './work.js'

/**
 * One pass over a phase, from its first step to its result: the nine steps in their order, with the ways back that the
 * gate opens. Everything that it decides comes out of its own steps, so that it can be gone on with at any of them.
 */
export async function runPhase(work: PhaseWork, input: PassInput, used: Attempts): Promise<PassResult> {
  const pass = beginPass(work, input)
  const cleared = await preflight(pass)
  if (!cleared.all_clear) return preflightFailed(pass, cleared)
  const found = await readPlans(pass, 'plans-found')
  const route = await triage(pass, found)
  return rounds(pass, { found, route, used })
}

/** A phase that is too much for one piece; never a part, and nothing that is only mended or checked. */
function partsIn({ facts, input, tools }: Pass, route: Route, plan: PhasePlan) {
  const isWhole = input.only === undefined && input.remediation === undefined
  if (route.routing === 'verify_only' || !isWhole) return undefined
  return partsOf(facts.id, plan, [...tools.outline.keys()])
}

interface Rounds {
  /** What lay there when the pass began. */
  found: PhasePlan
  route: Route
  used: Attempts
}

/** From RESEARCH to the assessment, and again where it was planned badly or reported badly. */
async function rounds(pass: Pass, { found, route, used }: Rounds): Promise<PassResult> {
  let replan: Replan | undefined
  let { input } = pass
  for (let round = 0; ; round += 1) {
    const at = round === 0 ? pass : { ...under(pass, `p${round}`), input }
    const planned = await prepare(at, { route, found, replan })
    if (!planned.ok) return failed(at, planned)
    await commitDocuments(at)
    const parts = partsIn(at, route, planned.plan)
    if (parts) return await splitRequest(at, parts)
    const executed = await executeOrSkip(at, route, planned.plan)
    if (!executed.ok) return failed(at, executed)
    const wish = {
      plan: planned.plan,
      criteria: criteriaOf(at, planned.plan),
      executed: executed.executed,
      triageEvidence: route.routing === 'verify_only' ? route.evidence : undefined,
    }
    const opinion = await assess(at, { ...wish, ...left(pass, used) })
    if (opinion.next === 're-plan') {
      await countReplan(at)
      ;({ replan } = opinion)
      continue
    }
    const came = await result(at, opinion, executed.executed)
    const held = await settleIntegrity(at, came, { wish, used, limits: () => left(pass, used) })
    if (held.kind === 'settled') return held.result
    input = { ...input, enforcement: held.enforcement }
    replan = undefined
  }
}

/** Three debug attempts in a phase, one after it was planned anew. */
export function left({ log, tools }: Pass, used: Attempts) {
  const limits = tools.settings.circuit_breaker
  const debugs = used.debugs + log.debugs
  const replans = used.replans + log.replans
  const most = limits.max_debug_attempts_per_phase - debugs
  return {
    debugLeft: Math.max(0, log.replans > 0 ? Math.min(1, most) : most),
    replanLeft: Math.max(0, limits.max_replan_attempts_per_phase - replans),
    debugsBefore: debugs,
  }
}

interface Preparing {
  route: Route
  /** What lay there when the pass began. */
  found: PhasePlan
  replan: Replan | undefined
}

/** Steps 3 to 5, as far as they are not skipped. */
async function prepare(
  pass: Pass,
  { route, found, replan }: Preparing,
): Promise<Outcome<{ plan: PhasePlan }>> {
  const { input } = pass
  if (route.routing === 'verify_only')
    return skipped(pass, found, 'verify_only routing', ['research', 'plan', 'plan_check'])
  if (input.remediation) return skipped(pass, found, 'remediation', ['research', 'plan', 'plan_check'])
  const existing = input.existingPlan && found.tasks.length > 0 && replan === undefined
  const why = existing ? 'existing plan' : input.skipResearch ? 'workflow.research is false' : undefined
  let researchPath: string | undefined
  if (why === undefined) {
    const researched = await research(pass, replan)
    if (!researched.ok) return researched
    researchPath = researched.path
  } else await skip(pass, 'research', why)
  return planAndCheck(pass, {
    researchPath: researchPath ?? (existing ? undefined : researchPathOf(pass)),
    replan,
    existing,
  })
}

async function skipped(
  pass: Pass,
  found: PhasePlan,
  why: string,
  steps: readonly StepName[],
): Promise<Outcome<{ plan: PhasePlan }>> {
  for (const step of steps) await skip(pass, step, why)
  return { ok: true, plan: found }
}

async function skip(pass: Pass, step: StepName, why: string): Promise<void> {
  await skipStep(pass, step, why)
  Object.assign(pass.log.steps[step], { status: 'skipped', skip_reason: why })
}

async function executeOrSkip(
  pass: Pass,
  route: Route,
  plan: PhasePlan,
): Promise<Outcome<{ executed: Executed }>> {
  if (route.routing !== 'verify_only') {
    const parts = await mendingPartsOf(pass)
    return parts ? mendInParts(pass, plan, parts) : execute(pass, plan)
  }
  await skip(pass, 'execute', 'verify_only routing')
  const deferred = isApproved(pass.input) ? [] : plan.tasks.filter(({ type }) => type === 'human-verify')
  return { ok: true, executed: { deferred, completed: 0, failed: 0, total: 0 } }
}

/** Criteria of the plan, else those of the roadmap. */
export function criteriaOf({ facts, input }: Pass, plan: PhasePlan) {
  const { only } = input
  const own = allCriteria(plan).filter(
    ({ taskId }) => only === undefined || (taskId !== undefined && only.includes(taskId)),
  )
  return own.length > 0 ? own : phaseCriteria(facts.criteria)
}

async function countReplan(pass: Pass): Promise<void> {
  pass.log.replans += 1
  const { id } = pass.facts
  await save(
    pass,
    `${pass.at}replan`,
    (state) => ({
      ...withPhase(state, id, (phase) => ({ ...phase, replan_attempts: phase.replan_attempts + 1 })),
      _meta: { ...state._meta, total_retries: state._meta.total_retries + 1 },
      metrics: { ...state.metrics, replan_count: state.metrics.replan_count + 1 },
    }),
    [{ event: 'replan_attempt', phase: id, step: 'research' }],
  )
}

function result(
  pass: Pass,
  opinion: Exclude<Assessed, { next: 're-plan' }>,
  executed: Executed,
): Promise<PassResult> {
  return opinion.next === 'failed' ? failed(pass, opinion.failure) : assessed(pass, opinion, executed)
}
