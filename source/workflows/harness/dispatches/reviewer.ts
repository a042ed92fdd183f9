import { dispatchPersona, type PersonaDone } from '../../dispatch/persona.js'
import { specForAgents } from '../artifacts/spec.js'
import { codeReviewerPrompt, type FinalReviewFields, finalReviewPrompt } from '../personas/code-reviewer.js'
import { phaseList } from '../phases.js'
import { type ReviewResult, reviewResultSchema } from '../results.js'
import type { Finding, HarnessState } from '../state/state.js'
import type { PhaseWork } from '../work.js'
import { commonBrief, phaseFields, phaseOf, sessionFields } from './briefs.js'
import { dispatchSetting } from './setting.js'

/** Sends the reviewer over the diff of the phase. */
export async function dispatchReviewer(
  work: PhaseWork,
  key: string,
  reason?: string,
): Promise<PersonaDone<ReviewResult>> {
  const { record, label } = work.phase
  const { planPath, startCommit } = record
  const warnings = Array.isArray(record.verificationWarnings) ? record.verificationWarnings.map(String) : []
  const spec = await specForAgents(work)
  const setting = dispatchSetting(work)
  return dispatchPersona<HarnessState, ReviewResult>(setting, key, {
    persona: 'harness-code-reviewer',
    title: `Review ${label}`,
    phase: phaseOf(work),
    expects: reviewResultSchema,
    access: 'read',
    failedTitle: `${label}: the review did not succeed`,
    ...(reason === undefined ? {} : { reason }),
    brief: {
      ...commonBrief(work, spec),
      planPath,
      expects: 'review',
      ...(startCommit ? { diffBase: startCommit } : {}),
      ...(warnings.length > 0 ? { note: warnings.join('\n') } : {}),
    },
    prompt: (begin) =>
      codeReviewerPrompt({
        ...phaseFields(work, spec, begin),
        planPath: planPath ?? '',
        ...(startCommit ? { startCommit } : {}),
        verification: { result: record.verification ?? 'skipped', gaps: warnings },
      }),
  })
}

/** What the phase reviews found: for the dispatch file, and as the prompt lists it. */
export interface EarlierFindings {
  findings: Finding[]
  listed: FinalReviewFields['earlier']
}

/** Sends the reviewer over everything since the session began. */
export async function dispatchFinalReviewer(
  work: PhaseWork,
  earlier: EarlierFindings,
  key = 'reviewer',
  reason?: string,
): Promise<PersonaDone<ReviewResult>> {
  const { startingCommit } = work.state
  const spec = await specForAgents(work)
  const setting = dispatchSetting(work)
  return dispatchPersona<HarnessState, ReviewResult>(setting, key, {
    persona: 'harness-code-reviewer',
    title: 'Final review across all phases',
    phase: phaseOf(work),
    expects: reviewResultSchema,
    access: 'read',
    failedTitle: 'The final review did not succeed',
    ...(reason === undefined ? {} : { reason }),
    brief: {
      ...commonBrief(work, spec),
      expects: 'review',
      final: true,
      findings: earlier.findings,
      ...(startingCommit ? { diffBase: startingCommit } : {}),
    },
    prompt: (begin) =>
      finalReviewPrompt({
        ...sessionFields(work, spec, begin),
        startingCommit: startingCommit ?? 'HEAD',
        earlier: earlier.listed,
        phases: phaseList(work.state),
      }),
  })
}
