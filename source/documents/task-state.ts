import { formatJson, isObject, type JsonObject, parseJson, textOf, type Unreadable } from './json.js'

// state.json, the task progress that the executor keeps (docs/harness.md, "Task state").

export type TaskProgress = 'pending' | 'in_progress' | 'complete'

export interface TaskState {
  schemaVersion: 1
  position: { phase?: string; task?: string }
  /** Keys such as `Task 3` or `Phase 2 Task 3`. */
  progress: Record<string, TaskProgress>
  decisions: { date: string; decision: string; context: string }[]
  blockers: { id: string; description: string; status: 'open' | 'resolved' }[]
  lastSession?: { date: string; summary: string; lastSkill?: string; pendingTasks?: string[] }
}

export interface TaskStateReading {
  state: TaskState
  warnings: string[]
}

/** The file as it is at the start of a phase: nothing done, nothing decided. */
export function defaultTaskState(): string {
  return formatJson({ schemaVersion: 1, position: {}, progress: {}, decisions: [], blockers: [] })
}

/** Reads state.json. Unknown keys are kept in the state; unreadable is not the same as empty. */
export function readTaskState(
  text: string,
): (TaskStateReading & { unreadable?: undefined }) | (Unreadable & { state?: undefined }) {
  const parsed = parseJson(text)
  if ('unreadable' in parsed) return parsed
  if (!isObject(parsed.value)) return { unreadable: 'It is not a JSON object.' }
  const raw = parsed.value
  const warnings: string[] = []
  const last = lastSessionOf(raw.lastSession)
  const { lastSession: _, ...rest } = raw
  const state: TaskState = {
    ...rest,
    schemaVersion: 1,
    position: positionOf(raw.position),
    progress: progressOf(raw.progress, warnings),
    decisions: objectsOf(raw.decisions).map((entry) => ({
      ...entry,
      date: textOf(entry.date) ?? '',
      decision: textOf(entry.decision) ?? textOf(entry.what) ?? '',
      context: textOf(entry.context) ?? textOf(entry.why) ?? '',
    })),
    blockers: objectsOf(raw.blockers).map((entry, index) => ({
      ...entry,
      id: textOf(entry.id) ?? String(index + 1),
      description: textOf(entry.description) ?? textOf(entry.text) ?? JSON.stringify(entry),
      // Only a word that says so closes a blocker.
      status: entry.status === 'resolved' ? 'resolved' : 'open',
    })),
    ...(last === undefined ? {} : { lastSession: last }),
  }
  return { state, warnings }
}

const taskId = /^[\s:#-]{0,9}([A-Za-z]?\d{1,9}(?:\.\d{1,9}){0,8}[a-z]?)(?![\w.]*\w)/i
const phasePrefix = /phase[\s:#-]*(\d+)/i

/**
 * The task id of a progress key: what follows the last `Task`. A phase prefix must agree with the 1-based
 * `phaseNumber`; a key of another phase, or one without an id, is undefined.
 */
export function taskIdOfKey(key: string, phaseNumber: number): string | undefined {
  const last = key.toLowerCase().lastIndexOf('task')
  if (last === -1) return /^[A-Za-z]?\d{1,9}(?:\.\d{1,9}){0,8}[a-z]?$/.exec(key.trim())?.[0]
  const prefix = phasePrefix.exec(key.slice(0, last))?.[1]
  if (prefix !== undefined && Number(prefix) !== phaseNumber) return undefined
  return taskId.exec(key.slice(last + 4))?.[1]
}

function progressWord(value: unknown): TaskProgress | undefined {
  const word = textOf(value, ['status', 'state'])?.trim().toLowerCase().replace(/[\s-]/g, '_')
  if (word === 'complete' || word === 'completed' || word === 'done') return 'complete'
  if (word === 'in_progress') return 'in_progress'
  return word === 'pending' ? 'pending' : undefined
}

function progressOf(value: unknown, warnings: string[]): Record<string, TaskProgress> {
  if (value !== undefined && !isObject(value)) warnings.push('"progress" is not an object; read as empty.')
  const entries = isObject(value) ? Object.entries(value) : []
  return Object.fromEntries(
    entries.map(([key, status]) => {
      const progress = progressWord(status)
      if (progress !== status)
        warnings.push(`"${key}" is ${JSON.stringify(status)}; read as ${progress ?? 'pending'}.`)
      return [key, progress ?? 'pending'] as const
    }),
  )
}

function positionOf(value: unknown): JsonObject & TaskState['position'] {
  if (!isObject(value)) return {}
  const phase = textOf(value.phase)
  const task = textOf(value.task)
  const { phase: _phase, task: _task, ...rest } = value
  return { ...rest, ...(phase === undefined ? {} : { phase }), ...(task === undefined ? {} : { task }) }
}

function objectsOf(value: unknown): JsonObject[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry) => {
    if (isObject(entry)) return [entry]
    const text = textOf(entry)
    return text === undefined ? [] : [{ decision: text, description: text }]
  })
}

function lastSessionOf(value: unknown): TaskState['lastSession'] {
  if (!isObject(value)) return undefined
  return { ...value, date: textOf(value.date) ?? '', summary: textOf(value.summary) ?? '' }
}
