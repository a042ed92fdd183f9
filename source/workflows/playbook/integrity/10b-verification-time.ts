import { durationText } from '../../../durations.js'
import { type IntegrityCheck, isAssessed } from './facts.js'

/** A model verified in less time than reading takes. A warning only, where commands were run. */
export const verificationTime: IntegrityCheck = {
  number: '10b',
  name: 'verification time',
  act: 'respawn-or-accept',
  check(facts) {
    const { isModel, verificationMinSeconds: least, verificationSeconds: seconds, verification } = facts
    if (!isModel || least === 0 || seconds === null || seconds >= least || !isAssessed(facts))
      return undefined
    // Who ran commands did something: it is told, and nobody is sent again.
    const ran = (verification?.commands_run.length ?? 0) > 0
    const reason = `The verification took ${durationText(seconds * 1000)}, less than ${durationText(least * 1000)}.`
    return ran ? { reason } : { reason, target: 'verify' }
  },
}
