import type { IntegrityCheck } from './facts.js'

/**
 * Something is left to a person, and nobody says which task of the plan. A verifier that is not sure and gives no reason
 * is asked for one; is it no surer then, a person is.
 */
export const deferralNamesTask: IntegrityCheck = {
  number: '13',
  name: 'deferral names its task',
  act: 'respawn',
  check({ returned, verification }) {
    if (returned.status !== 'needs_human_verification') return undefined
    const id = returned.human_verify_justification?.checkpoint_task_id.trim() ?? ''
    if (id !== '') return undefined
    if (verification !== undefined && verification.deferral_evidence.length === 0)
      return {
        reason: `The verifier is ${verification.autonomous_confidence} of 10 sure, and says of no criterion what it tried and why that did not settle it.`,
        target: 'verify',
        isAccepted: true,
      }
    return { reason: 'The phase is left to a person without naming a task of the plan.', target: 'verify' }
  },
}
