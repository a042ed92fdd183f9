import type { IntegrityCheck } from './facts.js'

/** Something is left to a person, and nobody says which task of the plan. */
export const deferralNamesTask: IntegrityCheck = {
  number: '13',
  name: 'deferral names its task',
  act: 'respawn',
  check({ returned }) {
    if (returned.status !== 'needs_human_verification') return undefined
    const id = returned.human_verify_justification?.checkpoint_task_id.trim() ?? ''
    return id === ''
      ? { reason: 'The phase is left to a person without naming a task of the plan.', target: 'verify' }
      : undefined
  },
}
