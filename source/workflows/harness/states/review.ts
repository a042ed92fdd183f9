import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { lastWords } from '../../dispatch/last-words.js'
import { qAgent } from '../../dispatch/questions.js'
import { assessmentsDiffer } from '../../evidence/claims/verdict.js'
import { type HandoffMark, handoffMark, leftHandoff, writeSkillHandoff } from '../artifacts/handoff.js'
import { writePhaseReview } from '../artifacts/phase-review.js'
import { dispatchReviewer } from '../dispatches/reviewer.js'
import { listedLines } from '../evidence-lines.js'
import { blockingOf, findingsOf, reviewDoubt, severityCounts } from '../findings.js'
import { settleBasesOnce } from '../opening/settle-bases.js'
import { withPhase } from '../phases.js'
import { qReview } from '../questions/review.js'
import type { ReviewResult } from '../results.js'
import { withDecision } from '../state/decisions.js'
import { type Finding, freshRetryBudget, type HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { type PhaseWork, phaseWork } from '../work.js'

/** REVIEW: an independent reviewer reads the diff of the phase (docs/harness.md, "States"). */
export async function review(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Transition<HarnessState>> {
  await settleBasesOnce({ run, tools }, run.state)
  const work = phaseWork(state, run, tools)
  const { phase } = work
  const { findings, doubt } = await reviewedFindings(work)
  const blocking = blockingOf(findings)
  const kind = blocking.length > 0 || doubt ? 'warning' : 'note'
  await run.note('findings', `${phase.label}: review ${severityCounts(findings)}`, kind)
  // What decides lives in the state; the file beside it is for others.
  await run.update('findings', (latest) => withPhase(latest, phase.index, { findings }))
  if (blocking.length === 0 && doubt === undefined)
    return { change: (latest) => ({ ...latest, currentState: 'PHASE_COMPLETE' }) }

  const asked = blocking.length > 0 ? blocking : findings
  const answer = await run.ask('review', qReview(asked, doubt, listedLines(run.state, phase.index)))
  if (answer.value === 'override') {
    return {
      change: (latest) => ({
        ...withDecision(latest, {
          phase: phase.index,
          decision: 'overridden_review',
          timestamp: tools.now().toISOString(),
          rationale: answer.text ?? '',
        }),
        currentState: 'PHASE_COMPLETE',
      }),
    }
  }
  return {
    change: (latest) => ({
      ...latest,
      fix: { source: 'review', findings: asked.length > 0 ? asked : [doubt ?? ''] },
      retryBudget: freshRetryBudget,
      currentState: 'EXECUTE',
    }),
  }
}

async function reviewedFindings(work: PhaseWork): Promise<{ findings: Finding[]; doubt?: string }> {
  const { run, tools, phase } = work
  let reason: string | undefined
  for (let round = 1; ; round += 1) {
    const suffix = round === 1 ? '' : `-${round}`
    const before = await run.step(`before${suffix}`, () => handoffMark(tools))
    const done = await dispatchReviewer(work, `reviewer${suffix}`, reason)
    const { result } = done
    const findings = findingsOf(result)
    const contradiction = await run.step(`record${suffix}`, () => record(work, result, findings, before))
    if (contradiction !== null) {
      const question = qAgent(`${phase.label}: what the reviewer left does not fit`, [contradiction])
      await run.ask(`contradiction${suffix}`, question)
      reason = contradiction
      continue
    }
    const doubt = reviewDoubt(result, lastWords(done))
    return { findings, ...(doubt === undefined ? {} : { doubt }) }
  }
}

/** What a reviewer without write permission could not write is written from its result; its handoff has to agree. */
async function record(
  { tools, phase }: PhaseWork,
  result: ReviewResult,
  findings: Finding[],
  before: HandoffMark,
): Promise<string | null> {
  const left = await leftHandoff(tools, 'harness-code-review', before)
  if (left.kind === 'foreign') return left.problem
  const recorded = left.kind === 'own' ? left.handoff.assessment : undefined
  if (assessmentsDiffer(result.assessment, recorded)) {
    return `The reviewer's result says ${result.assessment}, its handoff says ${recorded}.`
  }
  await writePhaseReview(tools, phase.number, findings)
  if (left.kind === 'own') return null
  await writeSkillHandoff(tools, {
    timestamp: tools.now().toISOString(),
    fromSkill: 'harness-code-review',
    phase: 'OUTPUT',
    summary: `${phase.label}: ${severityCounts(findings)}`,
    completed: [],
    pending: [],
    concerns: [],
    decisions: [],
    blockers: [],
    contextKeywords: [],
  })
  return null
}
