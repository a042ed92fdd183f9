import type { PlanTask } from '../../../documents/plan.js'
import { plainFact } from '../../../view/facts.js'
import type { TaskView } from '../../../view/view.js'
import { badgeFacts } from '../../evidence/badges.js'
import { readProgress, type TaskProgress } from '../artifacts/task-state.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { planTaskId } from './task-ids.js'

/** The tasks of a plan as the screen shows them. Pure. */
export function taskViews(
  tasks: readonly PlanTask[],
  progress: Record<string, TaskProgress>,
  state: HarnessState,
): TaskView[] {
  const budget = state.retryBudget.currentTask
  const { evidence, taskRetries = {} } = state.phases[state.currentPhase] ?? {}
  const known = evidence?.tasks ?? {}
  const retrying = budget ? planTaskId(budget.name, tasks) : undefined
  const before = new Map(Object.entries(taskRetries).map(([name, count]) => [planTaskId(name, tasks), count]))
  return tasks.map((task) => {
    const status = progress[task.id] ?? 'pending'
    const failing = task.id === retrying && status !== 'complete'
    return {
      id: task.id,
      title: task.title,
      status: failing && status !== 'in_progress' ? 'failed' : status,
      retries: (before.get(task.id) ?? 0) + (task.id === retrying ? (budget?.attemptsUsed ?? 0) : 0),
      facts: [
        ...(task.checkpoint ? [plainFact(task.checkpoint)] : []),
        ...(status === 'complete' ? badgeFacts(known[task.id] ?? ['claimed']) : []),
      ],
    }
  })
}

/** The tasks of a phase's plan and, beyond state.json, those that were reported complete. */
export interface PhaseTasks {
  /** 1-based number of the phase. */
  number: number
  tasks: readonly PlanTask[]
  done: ReadonlySet<string>
}

/** Tasks of a plan as state.json has them, with those that were reported complete beyond it. */
export async function currentTaskViews(
  tools: HarnessTools,
  { number, tasks, done }: PhaseTasks,
  state: HarnessState,
): Promise<TaskView[]> {
  const { byTask } = await readProgress(tools, tasks, number)
  const complete = Object.fromEntries([...done].map((id) => [id, 'complete' as const]))
  return taskViews(tasks, { ...byTask, ...complete }, state)
}
