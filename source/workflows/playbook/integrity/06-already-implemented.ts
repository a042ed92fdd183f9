import { type IntegrityCheck, isCompleted, isVerifyOnly, showsPlace } from './facts.js'

/** A phase is called done before, without anything that shows it, or without a verifier. */
export const alreadyImplemented: IntegrityCheck = {
  number: '6',
  name: 'already implemented',
  act: 'respawn',
  check(facts) {
    const { returned } = facts
    const isClaimed = isVerifyOnly(facts) || (returned.commit_shas.length === 0 && facts.changesPlanned)
    if (!isCompleted(facts) || !isClaimed) return undefined
    if (!returned.pipeline_steps.verify.agent_spawned)
      return { reason: 'The phase is called done before, and no verifier looked at it.', target: 'verify' }
    if (returned.evidence.files_checked.some((line) => showsPlace(facts, line))) return undefined
    return { reason: 'The phase is called done before, and no file and line shows it.', target: 'verify' }
  },
}
