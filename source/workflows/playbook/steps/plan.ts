import { counted } from '../../../counted.js'
import { hashOfFile } from '../artifacts.js'
import type { Replan } from '../orders/fields.js'
import type { Pass } from '../pass.js'
import { type PhasePlan, readPlans } from '../plans.js'
import type { PlanIssue } from '../results.js'
import { countRetry, send } from '../send.js'
import { failedStep, type Outcome } from './failure.js'
import { runStep } from './step.js'

export interface PlanWish {
  /** From 1; grows with every plan that the check sends back. */
  round: number
  researchPath: string | undefined
  replan: Replan | undefined
  checkerIssues: readonly PlanIssue[]
}

export const planPathOf = ({ facts }: Pass) => `${facts.dir}/PLAN.md`

/** 4 PLAN: a plan in which a task can be read. What the parser counts is what there is. */
export function plan(pass: Pass, wish: PlanWish): Promise<Outcome<{ plan: PhasePlan }>> {
  return runStep<'plan', Outcome<{ plan: PhasePlan }>>(pass, 'plan', async () => {
    pass.log.steps.plan.agent_spawned = true
    const planned = await askTwice(pass, wish)
    if (!planned.ok) return failedStep(pass, 'plan', planned)
    const output = planPathOf(pass)
    const hash = await pass.run.step(`${pass.at}plan-hash`, () => hashOfFile(pass.tools.root, output))
    pass.log.steps.plan.status = 'completed'
    const { tasks } = planned.plan
    return {
      result: planned,
      end: {
        record: { status: 'completed', output, hash, validation_rounds: wish.round },
        mark: 'pass',
        more: counted(tasks.length, 'task'),
      },
    }
  })
}

async function askTwice(pass: Pass, wish: PlanWish): Promise<Outcome<{ plan: PhasePlan }>> {
  const { facts, tools } = pass
  const { researchPath, replan, checkerIssues } = wish
  for (let round = 1; ; round += 1) {
    const key = round === 1 ? 'plan' : 'plan-tasks'
    const reason = `No task can be read in ${planPathOf(pass)}.`
    const enforcement = round === 1 ? pass.input.enforcement : { check: 'artifact', reason }
    const learnings = await pass.run.step(`${pass.at}${key}-learnings`, () => tools.learningsPath())
    const sent = await send(
      pass,
      'plan',
      {
        requirements: facts.requirements,
        completedPhaseSummaries: facts.completedSummaries,
        contextPaths: facts.contextPaths,
        testsDir: `${facts.dir}/tests`,
        checkerIssues,
        planPath: planPathOf(pass),
        ...(researchPath === undefined ? {} : { researchPath }),
        ...(learnings === null ? {} : { learningsPath: learnings }),
        ...(replan === undefined ? {} : { replan }),
        ...(enforcement === undefined ? {} : { enforcement }),
      },
      { key: key, title: `Plan phase ${facts.id}: ${facts.name}`, attempt: wish.round + round - 1 },
    )
    if (!sent.ok) return { ok: false, failure: `plan: ${sent.message}`, category: sent.category }
    const read = await readPlans(pass, `${key}-read`)
    if (read.tasks.length > 0) return { ok: true, plan: read }
    if (round === 2) return { ok: false, failure: `plan: ${reason}`, category: 'coordination_failure' }
    await countRetry(pass, `${key}-respawn`)
  }
}
