import { type IntegrityCheck, isCompleted } from './facts.js'

/** Work was done and it was not assessed: no score, no verification, no judgement, or no word on whether it compiles. */
export const completeAssessment: IntegrityCheck = {
  number: '1',
  name: 'complete assessment',
  act: 'respawn',
  check(facts) {
    const { returned, autoTasks, commands } = facts
    if (!isCompleted(facts) || autoTasks === 0) return undefined
    const { verify, judge } = returned.pipeline_steps
    const { compile } = returned.automated_checks
    if (returned.alignment_score === null) return { reason: 'The phase has no score.', target: 'rate' }
    if (verify.status === 'skipped') return { reason: 'The verification was left out.', target: 'verify' }
    if (judge.status === 'skipped') return { reason: 'The judgement was left out.', target: 'judge' }
    if (commands.compile !== null && typeof compile !== 'boolean')
      return { reason: 'Nobody says whether the project compiles.', target: 'verify' }
    return undefined
  },
}
