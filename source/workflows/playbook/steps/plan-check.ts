import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../../counted.js'
import { readText } from '../../../project/text-files.js'
import { lintPlans } from '../criteria/lint.js'
import type { PlanLosses } from '../decisions/plan-losses.js'
import type { Pass } from '../pass.js'
import type { PhasePlan } from '../plans.js'
import type { PlanIssue } from '../results.js'
import { send } from '../send.js'
import { failedStep, type Outcome } from './failure.js'
import { runStep } from './step.js'

/** What the check of a plan came to. */
export interface PlanVerdict {
  /** The checker's word. */
  pass: boolean
  confidence: number
  /** Its own issues and those that the program found. */
  issues: PlanIssue[]
}

/** 5 PLAN-CHECK: the program's own look at the plan, then the checker's. */
export function planCheck(
  pass: Pass,
  plan: PhasePlan,
  wish: { foreign: boolean; isPassed(verdict: PlanVerdict): boolean; losses?: PlanLosses | undefined },
): Promise<Outcome<PlanVerdict>> {
  return runStep<'plan_check', Outcome<PlanVerdict>>(pass, 'plan_check', async () => {
    const { facts, run, at } = pass
    pass.log.steps.plan_check.agent_spawned = true
    const found = (await run.step(`${at}lint`, () => lintOf(pass, plan, wish.foreign))) as PlanIssue[]
    const lint = [...(wish.losses?.issues ?? []), ...found]
    const sent = await send(
      pass,
      'plan-check',
      { planPaths: plan.paths, requirements: facts.requirements, lintIssues: lint },
      { key: 'plan-check', title: `Check the plan of phase ${facts.id}` },
    )
    if (!sent.ok)
      return failedStep(pass, 'plan_check', {
        ok: false,
        failure: `plan check: ${sent.message}`,
        category: sent.category,
      })
    const { confidence } = sent.result
    // Who counts blockers does not pass the plan, whether or not they are listed.
    const saysPass = sent.result.pass && sent.result.blocker_count === 0
    const verdict = { pass: saysPass, confidence, issues: [...lint, ...sent.result.issues] }
    const passed = wish.isPassed(verdict)
    const status = passed ? 'pass' : 'fail'
    Object.assign(pass.log.steps.plan_check, { status, confidence })
    return {
      result: { ok: true, ...verdict },
      end: {
        record: { status, confidence },
        mark: status,
        failed: !passed,
        more: `confidence ${confidence}/10, ${counted(verdict.issues.length, 'issue')}`,
      },
    }
  })
}

async function lintOf(pass: Pass, { plans }: PhasePlan, isForeign: boolean): Promise<PlanIssue[]> {
  const { facts, tools } = pass
  const names = await readdir(join(tools.root, facts.dir, 'tests')).catch(() => [] as string[])
  const linted = plans.map(async ({ id, path, plan }) => ({
    id,
    plan,
    text: (await readText(tools, path)) ?? '',
  }))
  return lintPlans({
    plans: await Promise.all(linted),
    requirements: facts.requirements,
    phaseType: facts.type,
    commands: tools.commands(),
    testSpecs: new Set(names.flatMap((name) => /^task-(.+)\.sh$/.exec(name)?.[1] ?? [])),
    isForeign,
  })
}
