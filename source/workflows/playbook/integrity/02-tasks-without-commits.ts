import { counted } from '../../../counted.js'
import { type IntegrityCheck, isVerifyOnly } from './facts.js'

/** Tasks are called complete and nothing was committed. */
export const tasksWithoutCommits: IntegrityCheck = {
  number: '2',
  name: 'tasks without commits',
  act: 'warn',
  check(facts) {
    const { returned, changesPlanned } = facts
    const done = Number.parseInt(returned.tasks_completed, 10)
    if (isVerifyOnly(facts) || !changesPlanned || !(done > 0) || returned.commit_shas.length > 0)
      return undefined
    return { reason: `${counted(done, 'task is', 'tasks are')} called complete, and there is no commit.` }
  },
}
