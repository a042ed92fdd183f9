import { type IntegrityCheck, isAssessed } from './facts.js'

/** Verifier or rater names no command that it ran. */
export const commandsRun: IntegrityCheck = {
  number: '10',
  name: 'commands run',
  act: 'respawn',
  check(facts) {
    if (!isAssessed(facts)) return undefined
    if (facts.verification?.commands_run.length === 0)
      return { reason: 'The verifier ran no command.', target: 'verify' }
    if (facts.rating?.commands_run.length === 0)
      return { reason: 'The rater ran no command.', target: 'rate' }
    return undefined
  },
}
