import type { TaskView } from '../../view/view.js'

const pollMs = 400

/**
 * Shows how the tasks stand while an agent works, whenever `look` sees something new. Polling, because a file that is
 * replaced by rename is lost to watchers on some systems. Returns the function that ends it.
 */
export function watchTasks(look: () => Promise<TaskView[]>, show: (tasks: TaskView[]) => void): () => void {
  let shown = ''
  let ended = false
  const once = async () => {
    const views = await look().catch(() => undefined)
    if (ended || !views) return
    const seen = JSON.stringify(views)
    if (seen === shown) return
    shown = seen
    show(views)
  }
  void once()
  const timer = setInterval(() => void once(), pollMs)
  return () => {
    ended = true
    clearInterval(timer)
  }
}
