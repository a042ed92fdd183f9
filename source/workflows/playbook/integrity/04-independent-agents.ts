import { type IntegrityCheck, isAssessed } from './facts.js'

/** Verifier, judge or rater was not sent: the work was assessed by whoever did it. */
export const independentAgents: IntegrityCheck = {
  number: '4',
  name: 'independent agents',
  act: 'respawn',
  check(facts) {
    if (!isAssessed(facts)) return undefined
    const { pipeline_steps: steps } = facts.returned
    const missing = (['verify', 'judge', 'rate'] as const).find((step) => !steps[step].agent_spawned)
    return missing && { reason: `Nobody was sent to ${missing} the phase.`, target: missing }
  },
}
