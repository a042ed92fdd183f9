import { counted } from '../../../counted.js'
import { durationText } from '../../../durations.js'
import { type IntegrityCheck, isVerifyOnly } from './facts.js'

const leastSeconds = 5 * 60
const tasksFrom = 2

/** Several tasks in less time than one would take. */
export const tooQuick: IntegrityCheck = {
  number: '3',
  name: 'too quick',
  act: 'warn',
  check(facts) {
    const { isModel, autoTasks, phaseSeconds } = facts
    if (!isModel || isVerifyOnly(facts) || autoTasks < tasksFrom || phaseSeconds >= leastSeconds)
      return undefined
    return {
      reason: `${counted(autoTasks, 'task was', 'tasks were')} done in ${durationText(phaseSeconds * 1000)}.`,
    }
  },
}
