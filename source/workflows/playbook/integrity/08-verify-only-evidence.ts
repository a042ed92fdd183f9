import { counted } from '../../../counted.js'
import { type IntegrityCheck, isCompleted, isVerifyOnly, showsPlace } from './facts.js'

/** A phase that was only checked has to be shown criterion by criterion, by two who are independent. */
export const verifyOnlyEvidence: IntegrityCheck = {
  number: '8',
  name: 'verify-only evidence',
  act: 'respawn',
  check(facts) {
    if (!isCompleted(facts) || !isVerifyOnly(facts)) return undefined
    const { verify, judge } = facts.returned.pipeline_steps
    if (!verify.agent_spawned)
      return { reason: 'The phase was only checked, and without a verifier.', target: 'verify' }
    if (!judge.agent_spawned)
      return { reason: 'The phase was only checked, and without a judge.', target: 'judge' }
    const { criterionNames: names } = facts
    const shown = (facts.verification?.criteria_results ?? []).filter(
      ({ criterion, evidence }) =>
        (names === undefined || names.includes(criterion)) && showsPlace(facts, evidence),
    )
    const bare = facts.criteria - new Set(shown.map(({ criterion }) => criterion)).size
    if (bare <= 0) return undefined
    return {
      reason: `${bare} of ${counted(facts.criteria, 'criterion', 'criteria')} ${bare === 1 ? 'is' : 'are'} shown by no file and line that is there.`,
      target: 'verify',
    }
  },
}
