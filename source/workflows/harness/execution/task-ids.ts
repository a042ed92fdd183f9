import type { PlanTask } from '../../../documents/plan.js'

/** The plan id that a text names: `Task 2`, `2`, `Phase 1 Task 2: parser`. Undefined when it names none. */
export function planTaskId(text: string, tasks: readonly PlanTask[]): string | undefined {
  const ids = new Map(tasks.map((task) => [task.id.toLowerCase(), task.id]))
  const trimmed = text.trim()
  const named = [...trimmed.matchAll(/\btask[\s-]*([A-Za-z]?\d+(?:\.\d+)*[a-z]?)/gi)].at(-1)?.[1]
  const bare = /^([A-Za-z]?\d+(?:\.\d+)*[a-z]?)(?=$|[\s:.)—–-])/.exec(trimmed)?.[1]
  const exact = ids.get((named ?? bare ?? trimmed).toLowerCase())
  if (exact !== undefined) return exact
  return tasks.find((task) => task.title !== '' && task.title.toLowerCase() === trimmed.toLowerCase())?.id
}

/** How a task is called in records and on screen: `Task 2`, or the text itself outside a plan. */
export function taskName(text: string, tasks: readonly PlanTask[]): string {
  const id = planTaskId(text, tasks)
  return id === undefined ? text.trim() : `Task ${id}`
}
