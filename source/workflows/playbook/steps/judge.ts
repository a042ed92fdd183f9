import { countedJudgement, missingOf } from '../decisions/judgement.js'
import { pathLine } from '../integrity/facts.js'
import type { Verified } from '../opinions.js'
import type { Pass } from '../pass.js'
import type { PhasePlan } from '../plans.js'
import { tell } from '../progress.js'
import { recordedConcerns } from '../reading.js'
import { publishVerification } from '../records/verification.js'
import type { DivergenceResult } from '../results.js'
import { send } from '../send.js'
import { subjectOf } from '../work.js'
import { toldMadeUp } from './citations.js'
import { failedStep, type Outcome } from './failure.js'
import { runStep } from './step.js'
import { diffCommandOf } from './verify.js'

export const verificationPathOf = ({ facts }: Pass) => `${facts.dir}/VERIFICATION.md`
export const reportPathOf = ({ facts }: Pass) => `${facts.dir}/JUDGE-REPORT.md`

/**
 * 8 JUDGE: a second opinion in two turns. The first knows nothing of the verifier, whose report is published only after
 * it; the second holds both against each other.
 */
export function judge(
  pass: Pass,
  plan: PhasePlan,
  verified: Verified,
): Promise<Outcome<{ judged: DivergenceResult }>> {
  return runStep<'judge', Outcome<{ judged: DivergenceResult }>>(pass, 'judge', async () => {
    const { facts, input, run, at } = pass
    pass.log.steps.judge.agent_spawned = true
    const known = {
      requirements: facts.requirements,
      planPaths: plan.paths,
      diffCommand: diffCommandOf(pass),
      logCommand: `git log --oneline ${input.checkpoint}..HEAD`,
      executorEvidence: pass.log.executorEvidence,
      reportPath: reportPathOf(pass),
      ...(input.enforcement === undefined ? {} : { enforcement: input.enforcement }),
    }
    const first = await send(pass, 'judgement', known, {
      key: 'judge',
      title: `Judge ${subjectOf(pass)}: ${facts.name}`,
    })
    if (!first.ok) return fails(pass, first)
    await run.step(`${at}verification-file`, () => publishVerification(pass, verified))
    const second = await send(
      pass,
      'judgement-divergence',
      { ...known, verificationPath: verificationPathOf(pass), turnOne: first.result },
      {
        key: 'judge-second',
        title: `Judge ${subjectOf(pass)}: divergence`,
        attempt: 2,
        ...(first.sessionId === undefined ? {} : { conversation: first.sessionId }),
      },
    )
    if (!second.ok) return fails(pass, second)
    const judged = await countedAs(pass, second.result)
    const { recommendation } = judged
    const proceeds = recommendation === 'proceed'
    pass.log.steps.judge.status = proceeds ? 'pass' : 'fail'
    pass.log.filesChecked.push(...judged.independent_evidence.filter((line) => pathLine.test(line)))
    return {
      result: { ok: true, judged },
      end: {
        record: {
          status: proceeds ? 'pass' : 'fail',
          recommendation,
          concerns: recordedConcerns(judged),
        },
        mark: proceeds ? 'pass' : 'fail',
        failed: !proceeds,
        more: recommendation,
      },
    }
  })
}

/** Without evidence that is not there, and as a contradiction in it counts. */
async function countedAs(pass: Pass, said: DivergenceResult): Promise<DivergenceResult> {
  const made = await toldMadeUp(
    pass,
    'judge-cited',
    said.independent_evidence,
    (lines) => `JUDGE: its evidence names what is not there: ${lines.join('; ')}`,
  )
  const judged = countedJudgement(said)
  if (judged.recommendation !== said.recommendation)
    await tell(
      pass,
      'judge-contradicts',
      `JUDGE: it says proceed and names what is missing, so it counts as debug: ${missingOf(said).join('; ')}`,
      'warning',
    )
  return {
    ...judged,
    independent_evidence: judged.independent_evidence.filter((line) => !made.includes(line)),
  }
}

function fails(pass: Pass, sent: { message: string; category: 'coordination_failure' | string }) {
  return failedStep(pass, 'judge', {
    ok: false,
    failure: `judge: ${sent.message}`,
    category: sent.category as 'coordination_failure',
  })
}
