import { isVisualOnly } from '../decisions/human-verification.js'
import type { IntegrityCheck } from './facts.js'

/** Everything passed, and the one reason for a person is that something should be looked at. */
export const unnecessaryDeferral: IntegrityCheck = {
  number: '14',
  name: 'unnecessary deferral',
  act: 'respawn-or-accept',
  check({ returned, verification }) {
    const why = returned.human_verify_justification
    if (returned.status !== 'needs_human_verification' || why === undefined) return undefined
    const { auto_tasks_passed: passed, auto_tasks_total: total } = why
    if (total === 0 || passed < total) return undefined
    const reasons = (verification?.deferral_evidence ?? []).map((one) => one.why_insufficient)
    if (reasons.length > 0 && !isVisualOnly(reasons)) return undefined
    return {
      reason:
        'All tasks passed, and nothing but looks is left to a person. Follow the code to its end instead.',
      event: 'unnecessary_deferral_warning',
      target: 'verify',
    }
  },
}
