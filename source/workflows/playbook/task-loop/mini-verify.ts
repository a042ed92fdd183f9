import {
  criteriaOutcomes,
  failureText,
  type ProjectChecks,
  projectChecks,
  redChecks,
  specOutcomes,
  specReport,
} from '../checks.js'
import { type CriterionOutcome, outcomeText, reportsOf } from '../criteria/run-criterion.js'
import type { TestSpecOutcome } from '../criteria/test-spec.js'
import { againstTask } from '../decisions/against-itself.js'
import type { CommandReport } from '../orders/fields.js'
import type { Pass } from '../pass.js'
import { orderTask, type PlanTask } from '../plans.js'
import { send } from '../send.js'

/** Whether a task is done: by our own commands first, then by somebody who did not do it. */
export interface MiniVerdict {
  passed: boolean
  gates: ProjectChecks
  criteria: CriterionOutcome[]
  specs: TestSpecOutcome[]
  /** What does not hold, in words. */
  failures: string[]
  /** The commands that show it. */
  failing: CommandReport[]
}

/** `Task 1-1` is 01-01. */
function isSameTask(said: string, id: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/^\W*task\W+/, '')
      .replace(/(?<![0-9])0+(?=[0-9])/g, '')
      .replace(/[^a-z0-9]+/g, '-')
  return plain(said) === plain(id) || plain(said).includes(plain(id))
}

/** `key` is unique in the pass: of the task, and of the try. */
export async function miniVerify(
  pass: Pass,
  key: string,
  task: PlanTask,
  files: readonly string[],
): Promise<MiniVerdict> {
  const gates = await projectChecks(pass, `${key}-gate`, ['compile', 'lint', 'test'])
  const criteria = await criteriaOutcomes(pass, `${key}-criterion`, task.criteria)
  const specs = await specOutcomes(pass, key, [task.id])
  const broken = criteria.filter(({ status }) => status === 'fail')
  const redSpecs = specs.map(specReport).filter(({ assessment }) => assessment !== 'pass')
  const red = [...redChecks(gates), ...reportsOf(broken), ...redSpecs]
  const words = [
    ...redChecks(gates).map(failureText),
    ...broken.map(outcomeText),
    ...redSpecs.map(failureText),
  ]
  const verdict = { gates, criteria, specs }
  // No word of an agent opens what a command has closed, so none is asked for.
  if (red.length > 0) return { ...verdict, passed: false, failures: words, failing: red }
  const sent = await send(
    pass,
    'mini-verification',
    {
      task: orderTask(task),
      criteria: task.criteria,
      files,
      commandResults: [...reportsOf(criteria), ...specs.map(specReport)],
    },
    { key: `${key}-mini`, title: `Verify task ${task.id}: ${task.title}` },
  )
  if (!sent.ok)
    return { ...verdict, passed: false, failures: [`mini-verification: ${sent.message}`], failing: [] }
  const failed = sent.result.criteria_results.filter(({ status }) => status === 'fail')
  const failures = [
    ...failed.map(({ criterion, evidence }) => `${criterion}: ${evidence}`),
    ...againstTask(sent.result, gates),
  ]
  if (!isSameTask(sent.result.task_id, task.id))
    failures.push(`the mini-verifier speaks of task ${sent.result.task_id}, not of ${task.id}`)
  const passed = sent.result.pass && failures.length === 0
  return {
    ...verdict,
    passed,
    failures: passed
      ? []
      : failures.length > 0
        ? failures
        : ['the mini-verifier says that the task is not done'],
    failing: [],
  }
}
