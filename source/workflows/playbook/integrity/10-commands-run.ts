import { judgeVerdict } from '../../evidence/claims/verdict.js'
import { type CheckFacts, type IntegrityCheck, isAssessed } from './facts.js'

/** The program of the verifier tells that nothing was run, or that all of it failed, and no command of ours shows the work. */
function unrun({ told, verification, passedCommands = 0, phaseType }: CheckFacts): string | undefined {
  if (told?.commands === undefined || verification?.pass !== true) return undefined
  const { why } = judgeVerdict({
    verdict: 'pass',
    gaps: [],
    ...told,
    ...(passedCommands > 0 ? { tests: 'passed' as const } : {}),
    isRead: phaseType === 'protocol' || phaseType === 'data',
  })
  return why[0]
}

/** Verifier or rater names no command that it ran, or the verifier names some and ran none. */
export const commandsRun: IntegrityCheck = {
  number: '10',
  name: 'commands run',
  act: 'respawn',
  check(facts) {
    if (!isAssessed(facts)) return undefined
    if (facts.verification?.commands_run.length === 0)
      return { reason: 'The verifier ran no command.', target: 'verify' }
    const reason = unrun(facts)
    if (reason !== undefined) return { reason, target: 'verify' }
    if (facts.rating?.commands_run.length === 0)
      return { reason: 'The rater ran no command.', target: 'rate' }
    return undefined
  },
}
