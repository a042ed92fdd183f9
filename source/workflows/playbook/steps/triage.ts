import { writeText } from '../../../project/text-files.js'
import { criteriaOutcomes } from '../checks.js'
import { type Triage, triageEvidence, triageOf } from '../criteria/triage.js'
import type { CommandReport } from '../orders/fields.js'
import type { Pass } from '../pass.js'
import { allCriteria, type PhasePlan, phaseCriteria } from '../plans.js'
import { rootOf } from '../work.js'
import { runStep } from './step.js'

export interface Route {
  routing: Triage['routing_decision']
  /** What was run, for the verifier of a phase of which nothing else is done. */
  evidence: CommandReport[]
}

function shortcutOf({ remediation, isRaised, mayShortcut }: Pass['input']) {
  if (remediation) return 'remediation'
  if (isRaised) return 'completed'
  return mayShortcut ? 'allowed' : 'force'
}

/** 2 TRIAGE: whether the phase is there already, by running what its criteria name. */
export function triage(pass: Pass, plan: PhasePlan): Promise<Route> {
  return runStep<'triage', Route>(pass, 'triage', async () => {
    const { facts, input, run, at, tools } = pass
    const ofPlan = allCriteria(plan)
    const criteria = ofPlan.length > 0 ? ofPlan : phaseCriteria(facts.criteria)
    const outcomes = await criteriaOutcomes(pass, 'triage', criteria)
    const record = await run.step(`${at}triage-file`, async () => {
      const made = triageOf({
        phaseId: facts.id,
        at: tools.now().toISOString(),
        source: ofPlan.length > 0 ? 'plan' : 'roadmap',
        outcomes,
        shortcut: shortcutOf(input),
      })
      await writeText(rootOf(pass), `${facts.dir}/TRIAGE.json`, `${JSON.stringify(made, null, 2)}\n`)
      return made
    })
    const { routing_decision: routing, pass_ratio: ratio } = record
    Object.assign(pass.log.steps.triage, { status: routing, pass_ratio: ratio })
    return {
      result: { routing, evidence: triageEvidence(outcomes) },
      end: { record: { status: routing, pass_ratio: ratio }, mark: 'pass', more: `routing: ${routing}` },
    }
  })
}
