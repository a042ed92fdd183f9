import type { Pass } from '../pass.js'
import type { PlanTask } from '../plans.js'
import { taskSays } from '../progress.js'
import { qHuman } from '../questions/human.js'
import { withStep } from '../state/phases.js'
import { savePhase } from '../work.js'
import { logTask } from './log.js'

/**
 * A task of a person. What is to be looked at waits for the verdicts at the end of the run; what has to be done or
 * decided first is asked about at once. Says whether it is done.
 */
export async function humanTask(pass: Pass, task: PlanTask): Promise<'completed' | 'deferred'> {
  const answer =
    task.type === 'human-verify'
      ? { value: 'defer' }
      : await pass.run.ask(`${pass.at}${task.id}-human`, qHuman(pass.facts.id, task))
  const status = answer.value === 'defer' ? 'deferred' : 'completed'
  const chosen = task.options.find(({ id }) => answer.value === `option:${id}`)
  const said = chosen ? chosen.name || chosen.id : ('text' in answer && answer.text) || undefined
  await savePhase(
    pass,
    `${task.id}-human-done`,
    (phase) => {
      const { tasks } = phase.steps.execute
      const record = { status, commit: null, retries: 0, ...(said === undefined ? {} : { decision: said }) }
      return withStep(phase, 'execute', { tasks: { ...tasks, [task.id]: record } })
    },
    status === 'completed'
      ? [{ event: 'task_completed', step: 'execute', details: { task: task.id, by: 'person' } }]
      : [],
  )
  await logTask(pass, `${task.id}-log`, {
    id: task.id,
    title: task.title,
    status: status === 'completed' ? 'COMPLETED' : 'DEFERRED',
    commit: null,
    checkpoint: 'none',
    files: [],
    evidence: said === undefined ? [] : [`decided: ${said}`],
    gates: 'none',
    tests: { passed: 0, total: 0 },
    confidence: null,
    mini: {
      result: 'SKIPPED',
      checked: 0,
      passed: 0,
      failures: [],
      debugAttempts: 0,
      fixLoop: 'none',
      convergence: 'none',
    },
  })
  await taskSays(
    pass,
    `${task.id}-says`,
    task.id,
    status === 'completed' ? 'done by a person' : 'deferred to a person',
  )
  return status
}
