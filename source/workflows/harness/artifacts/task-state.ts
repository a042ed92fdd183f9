import type { PlanTask } from '../../../documents/plan.js'
import {
  defaultTaskState,
  readTaskState,
  type TaskState,
  taskIdOfKey,
} from '../../../documents/task-state.js'
import { fileExists, readText, writeText } from '../../../project/text-files.js'
import type { HarnessTools } from '../tools.js'
import { sessionFiles } from './files.js'

// state.json, the task progress that the executor keeps (docs/harness.md, "Task state").

export type TaskProgress = 'pending' | 'in_progress' | 'complete'

/** Moves the state of the phase before out of the way and writes an empty one. Safe to repeat. */
export async function archiveAndResetTaskState(tools: HarnessTools, phase: number): Promise<void> {
  const files = sessionFiles(tools.sessionDir)
  const text = await readText(tools, files.taskState)
  const fresh = defaultTaskState()
  if (text !== undefined && text !== fresh && !(await fileExists(tools, files.archivedTaskState(phase)))) {
    await writeText(tools, files.archivedTaskState(phase), text)
  }
  await writeText(tools, files.taskState, fresh)
}

/** Progress of each task of the plan, and the ids in state.json that the plan does not have. */
export interface ProgressReading {
  byTask: Record<string, TaskProgress>
  strangers: string[]
  /** False when the executor has not written anything yet. */
  written: boolean
  openBlockers: string[]
}

export async function readProgress(
  tools: HarnessTools,
  tasks: readonly PlanTask[],
  phase: number,
): Promise<ProgressReading> {
  const text = await readText(tools, sessionFiles(tools.sessionDir).taskState)
  const state: TaskState | undefined = text === undefined ? undefined : readTaskState(text).state
  const byTask: Record<string, TaskProgress> = {}
  const strangers: string[] = []
  const known = new Set(tasks.map((task) => task.id))
  for (const [key, progress] of Object.entries(state?.progress ?? {})) {
    const id = taskIdOfKey(key, phase)
    if (id !== undefined && known.has(id)) byTask[id] = progress
    else strangers.push(key)
  }
  return {
    byTask,
    strangers,
    written: Object.keys(state?.progress ?? {}).length > 0,
    openBlockers: (state?.blockers ?? [])
      .filter((one) => one.status === 'open')
      .map((one) => one.description),
  }
}

/** Writes what a task came to, where an executor did not write it itself, or where it is opened again. */
export async function writeProgress(
  tools: HarnessTools,
  ids: readonly string[],
  word: TaskProgress = 'complete',
): Promise<void> {
  const path = sessionFiles(tools.sessionDir).taskState
  const text = await readText(tools, path)
  const state = text === undefined ? undefined : readTaskState(text).state
  const base = state ?? readTaskState(defaultTaskState()).state
  const progress = { ...base?.progress }
  for (const key of Object.keys(progress)) {
    // Whatever a task is called there, it is one task.
    const id = word === 'complete' ? undefined : anyTaskIdOfKey(key)
    if (id !== undefined && ids.includes(id)) progress[key] = word
  }
  for (const id of ids) progress[`Task ${id}`] = word
  await writeText(tools, path, `${JSON.stringify({ ...base, progress }, null, 2)}\n`)
}

/** The task that a key names, of whatever phase. */
function anyTaskIdOfKey(key: string): string | undefined {
  const at = key.toLowerCase().lastIndexOf('task')
  return taskIdOfKey(at === -1 ? key : key.slice(at), 0)
}
