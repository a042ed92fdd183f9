import { type IntegrityCheck, isAssessed } from './facts.js'

/** The judge agrees, misses nothing and shows nothing: it may as well not have looked. */
export const judgeAddsSomething: IntegrityCheck = {
  number: '11',
  name: 'judge adds something',
  act: 'respawn',
  check(facts) {
    const { divergence } = facts
    if (!isAssessed(facts) || divergence === undefined) return undefined
    const { verifier_agreement: agrees, verifier_missed: missed, independent_evidence: own } = divergence
    if (!agrees || missed.length > 0 || own.length > 0) return undefined
    return { reason: 'The judge agrees with everything and shows nothing of its own.', target: 'judge' }
  },
}
