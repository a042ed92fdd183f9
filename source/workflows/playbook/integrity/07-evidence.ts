import type { ProjectCommands } from '../orders/fields.js'
import { type CheckFacts, type IntegrityCheck, isAssessed, isVerifyOnly } from './facts.js'

type CommandName = keyof ProjectCommands

/** Commands that a phase of each kind has to have run, where the project has them. */
const wanted: Readonly<Record<string, readonly CommandName[]>> = {
  ui: ['compile', 'build'],
  mixed: ['compile'],
  protocol: [],
  data: [],
}

/** Criteria that are called verified by places that are not there. */
function unfoundedOf({ verification, unfounded = [] }: CheckFacts): string[] {
  return (verification?.criteria_results ?? []).flatMap(({ criterion, status, evidence }) =>
    status === 'verified' && unfounded.includes(evidence) ? [criterion] : [],
  )
}

/** The evidence names no command that a phase of this kind needs, or says nothing of what changed, or names places that are not there. */
export const evidenceGiven: IntegrityCheck = {
  number: '7',
  name: 'evidence',
  act: 'respawn',
  check(facts) {
    const { returned, commands, phaseType } = facts
    if (!isAssessed(facts)) return undefined
    const { commands_run: ran, git_diff_summary: summary } = returned.evidence
    if (ran.length === 0) return { reason: 'The evidence names no command that was run.', target: 'verify' }
    const missing = (wanted[phaseType] ?? []).find((name) => {
      const command = commands[name]
      return command !== null && !ran.some((line) => line.includes(command))
    })
    if (missing !== undefined)
      return {
        reason: `The evidence does not hold the command to ${missing} (${commands[missing]}).`,
        target: 'verify',
      }
    if (summary.trim() === '' && !isVerifyOnly(facts) && facts.changesPlanned)
      return { reason: 'The evidence does not say what changed.', target: 'verify' }
    const made = unfoundedOf(facts)
    if (made.length > 0)
      return {
        reason: `What shows ${made.join(', ')} names files or lines that are not there.`,
        target: 'verify',
      }
    return undefined
  },
}
