import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { findHandoff, writeSkillHandoff } from '../artifacts/handoff.js'
import { writePhaseReview } from '../artifacts/phase-review.js'
import { dispatchReviewer } from '../dispatches/reviewer.js'
import { blockingOf, findingsOf, severityCounts } from '../findings.js'
import { qReview } from '../questions/review.js'
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
  const work = phaseWork(state, run, tools)
  const { phase } = work
  const findings = await reviewedFindings(work)
  const blocking = blockingOf(findings)
  const kind = blocking.length > 0 ? 'warning' : 'note'
  await run.note('findings', `${phase.label}: review ${severityCounts(findings)}`, kind)
  if (blocking.length === 0) return { change: (latest) => ({ ...latest, currentState: 'PHASE_COMPLETE' }) }

  const answer = await run.ask('review', qReview(blocking))
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
      fix: { source: 'review', findings: blocking },
      retryBudget: freshRetryBudget,
      currentState: 'EXECUTE',
    }),
  }
}

async function reviewedFindings(work: PhaseWork): Promise<Finding[]> {
  const { run, tools } = work
  const before = await run.step('before', () => tools.now().toISOString())
  const findings = findingsOf(await dispatchReviewer(work))
  await run.step('record', () => record(work, findings, before))
  return findings
}

/** What a reviewer without write permission could not write is written from its result. */
async function record({ tools, phase }: PhaseWork, findings: Finding[], before: string): Promise<void> {
  await writePhaseReview(tools, phase.number, findings)
  const handoff = await findHandoff(tools, 'harness-code-review', before)
  if (handoff?.fresh) return
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
}
