import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterPlanChecks } from '../criteria/lint.js'
import { lossesOf, type PlanLosses } from '../decisions/plan-losses.js'
import type { Replan } from '../orders/fields.js'
import type { Pass } from '../pass.js'
import { type PhasePlan, readPlans } from '../plans.js'
import { tell } from '../progress.js'
import { qPlan } from '../questions/plan.js'
import type { PlanIssue } from '../results.js'
import { listKeys } from '../state/listed.js'
import { savePhase, under } from '../work.js'
import { type Failure, note, type Outcome } from './failure.js'
import { plan } from './plan.js'
import { type PlanVerdict, planCheck } from './plan-check.js'
import { skipStep } from './step.js'

export interface Planning {
  researchPath: string | undefined
  replan: Replan | undefined
  /** A plan is there already, and nobody of this run has written it. */
  existing: boolean
}

/** Steps 4 and 5: a plan, until its check passes. Nothing changes when only warnings are left. */
export async function planAndCheck(pass: Pass, wish: Planning): Promise<Outcome<{ plan: PhasePlan }>> {
  const checks: PlanVerdict[] = []
  let foreign = wish.existing
  let current: PhasePlan | undefined
  // What this run has planned before; a plan of others that is planned anew is kept beside.
  let before = wish.replan === undefined ? undefined : await readPlans(pass, 'earlier-plans')
  let losses: PlanLosses | undefined
  if (wish.existing) {
    await skipStep(pass, 'plan', 'a plan is there')
    Object.assign(pass.log.steps.plan, { status: 'skipped', skip_reason: 'existing_plan' })
    current = await readPlans(pass, 'existing-plan')
  }
  for (let round = 1; ; round += 1) {
    const at = round === 1 ? pass : under(pass, `plan${round}`)
    const checkerIssues = checks.at(-1)?.issues ?? []
    if (current === undefined) {
      const written = await plan(at, { round, ...wish, checkerIssues })
      if (!written.ok) return written
      current = written.plan
      const asked = checkerIssues.filter((one) => !losses?.lines.includes(one.description))
      losses = before && (await tellLosses(at, { before, now: current, asked }))
      // What was lost once is lost until it is there again.
      before = losses?.issues.some(isBlocker) ? before : current
    }
    const isPassed = (verdict: PlanVerdict) => afterPlanChecks([...checks, verdict]) === 'passed'
    const checked = await planCheck(at, current, { foreign, isPassed, losses })
    if (!checked.ok) return checked
    checks.push(checked)
    const next = afterPlanChecks(checks)
    if (next === 'passed') return { ok: true, plan: current }
    if (next === 'exhausted') return exhausted(pass, checked)
    if (foreign && (await askForeign(at, current, checked.issues)) === 'run')
      return { ok: true, plan: current }
    foreign = false
    current = undefined
  }
}

const isBlocker = ({ severity }: PlanIssue) => severity === 'blocker'

/** A plan that holds less than the one before it is told, to who checks it too, and listed at the next gates. */
async function tellLosses(
  pass: Pass,
  { before, now, asked }: { before: PhasePlan; now: PhasePlan; asked: readonly PlanIssue[] },
): Promise<PlanLosses> {
  const losses = lossesOf(before, now, asked)
  const { lines } = losses
  await savePhase(pass, 'lost-of-plan', (phase) => ({ ...phase, [listKeys.plan]: lines }))
  if (lines.length > 0)
    await tell(pass, 'lost-of-plan-told', `PLAN: the plan before held more: ${lines.join(' ')}`, 'warning')
  return losses
}

/** The plan of other people is never overwritten unasked, and kept when it is. */
async function askForeign(pass: Pass, current: PhasePlan, issues: readonly PlanIssue[]): Promise<string> {
  const { run, at, facts, tools } = pass
  const { value } = await run.ask(`${at}foreign-plan`, qPlan(facts.id, current.paths, issues))
  if (value !== 'run')
    await run.step(`${at}foreign-kept`, async () => {
      for (const path of current.paths)
        await rename(join(tools.root, path), join(tools.root, path.replace(/\.md$/i, '.original.md'))).catch(
          (error: NodeJS.ErrnoException) => {
            // Moved by the process before, which died before it could say so.
            if (error.code !== 'ENOENT') throw error
          },
        )
    })
  return value
}

function exhausted(pass: Pass, { issues, confidence }: PlanVerdict): Failure {
  const blockers = issues
    .filter(({ severity }) => severity === 'blocker')
    .map(({ description }) => description)
  const why = blockers.length > 0 ? blockers.join('; ') : `confidence ${confidence}/10`
  const failed: Failure = {
    ok: false,
    failure: `plan check did not pass: ${why}`,
    category: 'coordination_failure',
  }
  note(pass, 'plan_check', failed)
  return failed
}
