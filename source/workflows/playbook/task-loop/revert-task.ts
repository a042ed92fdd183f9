import type { Pass } from '../pass.js'
import type { PlanTask } from '../plans.js'
import { taskSays } from '../progress.js'
import { rollBack } from '../steps/rollback.js'

/** Takes back what a task has committed, where mending it only made the difference grow. Says whether it could. */
export async function revertTask(
  pass: Pass,
  task: PlanTask,
  { before, commits }: { before: string; commits: readonly string[] },
): Promise<boolean> {
  const back = await rollBack(pass, `${task.id}-back`, { commits, checkpoint: before })
  await taskSays(
    pass,
    `${task.id}-diff-growing`,
    task.id,
    'diff_growing: each fix made it larger; it is taken back',
  )
  return back.performed
}
