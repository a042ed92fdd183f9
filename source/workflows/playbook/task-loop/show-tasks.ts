import type { TaskView } from '../../../view/view.js'
import type { Pass } from '../pass.js'
import { type PhasePlan, type PlanTask, plansIn } from '../plans.js'
import { taskFacts } from '../reading.js'
import { phaseOf } from '../state/phases.js'
import type { TaskRecord } from '../state/schema.js'
import type { PlaybookWork } from '../work.js'

const endings: Record<'completed' | 'failed' | 'deferred', TaskView['status']> = {
  completed: 'complete',
  failed: 'failed',
  // It is open still, for whoever looks at it in the end.
  deferred: 'pending',
}

/** The tasks of a pass as they stand, for the screen; a part of a phase is shown among the tasks of the whole. */
export function showTasks(pass: Pass, plan: PhasePlan, own: readonly PlanTask[], atWork?: string): void {
  const { run, facts, input, log } = pass
  const { tasks: records } = phaseOf(run.state, facts.id).steps.execute
  const isPart = input.only !== undefined
  const all = isPart ? plan.plans.flatMap(({ plan: { tasks } }) => tasks) : own
  run.tasks(
    all.map(({ id, title }): TaskView => {
      const record = records[id]
      const ended = log.tasks.get(id) ?? (isPart ? endingOf(record) : undefined)
      const status = ended ? endings[ended] : id === atWork ? 'in_progress' : 'pending'
      return {
        id,
        title,
        status,
        retries: ended || id === atWork ? (record?.retries ?? 0) : 0,
        // All of them would leave no room for the title; the evidence view has them.
        facts: ended && record ? taskFacts(record).slice(-1) : [],
      }
    }),
  )
}

function endingOf(record: TaskRecord | undefined): keyof typeof endings | undefined {
  const status = record?.status
  return status === 'completed' || status === 'failed' || status === 'deferred' ? status : undefined
}

/** The tasks of a phase as its record has them: for a state that a run comes back in. Titles are those of its plan. */
export async function showRecordedTasks({ run, tools }: PlaybookWork, id: string): Promise<void> {
  const { dir, steps } = phaseOf(run.state, id)
  const planned = typeof dir === 'string' ? (await plansIn(tools.root, dir, id)).tasks : []
  run.tasks(
    Object.entries(steps.execute.tasks).map(([task, record]): TaskView => {
      const ended = endingOf(record)
      const title = planned.find((one) => one.id === task)?.title ?? `Mend what phase ${id} lacks`
      const status = ended ? endings[ended] : 'pending'
      return { id: task, title, status, retries: record.retries, facts: taskFacts(record).slice(-1) }
    }),
  )
}
