import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { commonBrief, dispatchPersona, phaseFields } from '../../dispatch/dispatch.js'
import { findHandoff, writeSkillHandoff } from '../artifacts/handoff.js'
import { countFindings, writePhaseReview } from '../artifacts/phase-review.js'
import { withDecision } from '../decisions.js'
import { blockingOf, findingsOf } from '../findings.js'
import { codeReviewerPrompt } from '../personas/code-reviewer.js'
import { currentPhase, type PhaseContext } from '../phases.js'
import { qReview } from '../questions/review.js'
import { type ReviewResult, reviewResultSchema } from '../results.js'
import { type Finding, freshRetryBudget, type HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'

/** REVIEW: an independent reviewer reads the diff of the phase (section 1). */
export async function review(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Transition<HarnessState>> {
  const context = currentPhase(state)
  const findings = await reviewedFindings(run, tools, context)
  const counts = countFindings(findings)
  const line = `${context.label}: review ${counts.blocking} blocking, ${counts.warning} warning, ${counts.note} note`
  await run.note('findings', line, counts.blocking > 0 ? 'warning' : 'note')

  const blocking = blockingOf(findings)
  if (blocking.length === 0) return { change: (latest) => ({ ...latest, currentState: 'PHASE_COMPLETE' }) }

  const answer = await run.ask('review', qReview(blocking))
  if (answer.value === 'override') {
    return {
      change: (latest) => ({
        ...withDecision(latest, {
          phase: context.index,
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

async function reviewedFindings(
  run: Run<HarnessState>,
  tools: HarnessTools,
  context: PhaseContext,
): Promise<Finding[]> {
  const before = await run.step('before', () => tools.now().toISOString())
  const findings = findingsOf(await dispatchReviewer(run, tools, context))
  await run.step('record', () => record(tools, context, findings, before))
  return findings
}

async function dispatchReviewer(run: Run<HarnessState>, tools: HarnessTools, context: PhaseContext) {
  const { phase } = context
  const warnings = Array.isArray(phase.verificationWarnings) ? phase.verificationWarnings.map(String) : []
  return dispatchPersona<ReviewResult>(run, tools, 'reviewer', {
    persona: 'harness-code-reviewer',
    title: `Review ${context.label}`,
    phase: context.number,
    expects: reviewResultSchema,
    access: 'read',
    failedTitle: `${context.label}: the review did not succeed`,
    brief: {
      ...(await commonBrief(tools, context)),
      planPath: phase.planPath,
      expects: 'review',
      ...(phase.startCommit ? { diffBase: phase.startCommit } : {}),
      ...(warnings.length > 0 ? { note: warnings.join('\n') } : {}),
    },
    prompt: (begin) =>
      codeReviewerPrompt({
        ...phaseFields(tools, context, begin),
        planPath: phase.planPath ?? '',
        ...(phase.startCommit ? { startCommit: phase.startCommit } : {}),
        verification: { result: phase.verification ?? 'skipped', gaps: warnings },
      }),
  })
}

/** What a reviewer without write permission could not write is written from its result (design.md section 4). */
async function record(
  tools: HarnessTools,
  context: PhaseContext,
  findings: Finding[],
  before: string,
): Promise<void> {
  await writePhaseReview(tools, context.number, findings)
  const handoff = await findHandoff(tools, 'harness-code-review', before)
  if (handoff?.fresh) return
  const counts = countFindings(findings)
  await writeSkillHandoff(tools, {
    timestamp: tools.now().toISOString(),
    fromSkill: 'harness-code-review',
    phase: 'OUTPUT',
    summary: `${context.label}: ${counts.blocking} blocking, ${counts.warning} warning, ${counts.note} note`,
    completed: [],
    pending: [],
    concerns: [],
    decisions: [],
    blockers: [],
    contextKeywords: [],
  })
}
