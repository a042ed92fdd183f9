import { dispatchPersona, type PersonaDone } from '../../dispatch/persona.js'
import { specForAgents } from '../artifacts/spec.js'
import { verifierPrompt } from '../personas/verifier.js'
import { type VerificationResult, verificationResultSchema } from '../results.js'
import type { HarnessState } from '../state/state.js'
import type { PhaseWork } from '../work.js'
import { commonBrief, phaseFields, phaseOf } from './briefs.js'
import { dispatchSetting } from './setting.js'

/** Sends the verifier over the phase. */
export async function dispatchVerifier(
  work: PhaseWork,
  round: number,
  reason?: string,
): Promise<PersonaDone<VerificationResult>> {
  const { planPath, startCommit } = work.phase.record
  const { label } = work.phase
  const spec = await specForAgents(work)
  const setting = dispatchSetting(work)
  return dispatchPersona<HarnessState, VerificationResult>(setting, `verifier-${round}`, {
    persona: 'harness-verifier',
    title: `Verify ${label}`,
    attempt: round,
    phase: phaseOf(work),
    expects: verificationResultSchema,
    access: 'read',
    failedTitle: `${label}: the verification did not succeed`,
    ...(reason === undefined ? {} : { reason }),
    brief: {
      ...commonBrief(work, spec),
      planPath,
      expects: 'verification',
      ...(startCommit ? { diffBase: startCommit } : {}),
    },
    prompt: (begin) =>
      verifierPrompt({
        ...phaseFields(work, spec, begin),
        planPath: planPath ?? '',
        ...(startCommit ? { startCommit } : {}),
      }),
  })
}
