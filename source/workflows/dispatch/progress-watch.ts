import type { PlanTask } from '../../documents/plan.js'
import { plainFact } from '../../view/facts.js'
import type { TaskView } from '../../view/view.js'
import { readProgress, type TaskProgress } from '../harness/artifacts/task-state.js'
import type { HarnessState } from '../harness/state/state.js'
import { planTaskId } from '../harness/task-ids.js'
import type { HarnessTools } from '../harness/tools.js'

const pollMs = 400

/** The tasks of a plan as the screen shows them. */
export function taskViews(
  tasks: readonly PlanTask[],
  progress: Record<string, TaskProgress>,
  state: HarnessState,
): TaskView[] {
  const budget = state.retryBudget.currentTask
  const retrying = budget ? planTaskId(budget.name, tasks) : undefined
  return tasks.map((task) => {
    const status = progress[task.id] ?? 'pending'
    const failing = task.id === retrying && status !== 'complete'
    return {
      id: task.id,
      title: task.title,
      status: failing && status !== 'in_progress' ? 'failed' : status,
      retries: task.id === retrying ? (budget?.attemptsUsed ?? 0) : 0,
      facts: task.checkpoint ? [plainFact(task.checkpoint)] : [],
    }
  })
}

/** Tasks of a plan as state.json has them, with those that were reported complete beyond it. */
export async function currentTaskViews(
  tools: HarnessTools,
  tasks: readonly PlanTask[],
  phase: number,
  done: ReadonlySet<string>,
  state: HarnessState,
): Promise<TaskView[]> {
  const { byTask } = await readProgress(tools, tasks, phase)
  const complete = Object.fromEntries([...done].map((id) => [id, 'complete' as const]))
  return taskViews(tasks, { ...byTask, ...complete }, state)
}

/**
 * Follows state.json while an executor works. Polling, because a file that is replaced by rename is lost to
 * watchers on some systems. Returns the function that ends it.
 */
export function watchProgress(
  tools: HarnessTools,
  tasks: readonly PlanTask[],
  phase: number,
  done: ReadonlySet<string>,
  state: () => HarnessState,
  show: (tasks: TaskView[]) => void,
): () => void {
  let shown = ''
  let ended = false
  const look = async () => {
    const views = await currentTaskViews(tools, tasks, phase, done, state()).catch(() => undefined)
    if (ended || !views) return
    const key = JSON.stringify(views)
    if (key === shown) return
    shown = key
    show(views)
  }
  void look()
  const timer = setInterval(() => void look(), pollMs)
  return () => {
    ended = true
    clearInterval(timer)
  }
}
