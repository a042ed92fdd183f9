import { type IntegrityCheck, isCompleted } from './facts.js'

/** Under it a phase that passed has something to explain. */
const explainedBelow = 9

/** A phase passed with less than it could have: a file says what would have been needed. */
export const confidenceDiagnostic: IntegrityCheck = {
  number: '15',
  name: 'confidence diagnostic',
  act: 'diagnose',
  check(facts) {
    const { alignment_score: score } = facts.returned
    if (!isCompleted(facts) || score === null || score >= explainedBelow) return undefined
    return { reason: `The phase passed with ${score.toFixed(1)}.`, event: 'confidence_diagnostic_written' }
  },
}
