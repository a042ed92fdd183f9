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

/**
 * Of texts that call tasks complete, those that name one by a number that the plan does not have. A part of a task, a task of
 * another phase and a text in words of its own name none.
 */
export function unknownTasks(texts: readonly string[], tasks: readonly PlanTask[]): string[] {
  const ids = tasks.map(({ id }) => id.toLowerCase())
  return texts.flatMap((text) => {
    const id = /^\s*task[\s-]*([A-Za-z]?\d+(?:\.\d+)*[a-z]?)(?=$|[\s:.)—–-])/i.exec(text)?.[1]?.toLowerCase()
    if (id === undefined || planTaskId(text, tasks) !== undefined) return []
    return ids.some((known) => id.startsWith(known)) ? [] : [`Task ${id}`]
  })
}
