import { looksAtNothing } from '../../../agents/command-output.js'
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

/** Words of programs that look at something: the line may be a sentence about one. */
const looking =
  /\b(?:npm|npx|pnpm|yarn|bun|deno|node|git|grep|rg|cat|ls|head|tail|wc|diff|test|cargo|pytest|python3?|go|make)\b/

/** None is named, or only such as look at nothing. */
const areNone = (commands: readonly string[]): boolean =>
  commands.every((command) => looksAtNothing(command) && !looking.test(command))

/** Verifier or rater names no command that it ran, or the verifier names some and ran none. */
export const commandsRun: IntegrityCheck = {
  number: '10',
  name: 'commands run',
  act: 'respawn',
  check(facts) {
    if (!isAssessed(facts)) return undefined
    if (facts.verification && areNone(facts.verification.commands_run))
      return { reason: 'The verifier ran no command.', target: 'verify' }
    const reason = unrun(facts)
    if (reason !== undefined) return { reason, target: 'verify' }
    if (facts.rating && areNone(facts.rating.commands_run))
      return { reason: 'The rater ran no command.', target: 'rate' }
    return undefined
  },
}
