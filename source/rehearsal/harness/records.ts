import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Brief } from './brief.js'
import { sameTask } from './plan-text.js'

// The files that an agent keeps beside its result: task state, handoff, learnings (docs/harness.md, "Task state",
// "Handoff" and "Learnings and failures").

type Progress = 'pending' | 'in_progress' | 'complete'
type Fields = Record<string, unknown>

export interface HandoffFields {
  fromSkill: string
  phase: string
  summary: string
  completed: string[]
  pending: string[]
  concerns: string[]
  decisions: { what: string; why: string }[]
  contextKeywords: string[]
  [extra: string]: unknown
}

export interface Records {
  /** Makes every task of the plan known, without losing what is already recorded. */
  begin(taskIds: string[]): Promise<void>
  progress(taskId: string): Progress
  mark(taskId: string, progress: Progress): Promise<void>
  decisions(): { decision: string; context: string }[]
  decide(decision: string, context: string): Promise<void>
  close(summary: string, pendingTasks: string[]): Promise<void>
  handoff(fields: HandoffFields): Promise<void>
  /** Appends one entry to the session's learnings unless it is there. */
  learn(outcome: 'gotcha' | 'observation' | 'decision', lesson: string): Promise<void>
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const readText = (path: string) => readFile(path, 'utf8').catch(() => undefined)

async function readFields(path: string): Promise<Fields> {
  try {
    const value: unknown = JSON.parse((await readText(path)) ?? '{}')
    return isFields(value) ? value : {}
  } catch {
    return {}
  }
}

const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z')
const today = () => now().slice(0, 10)

/** Opens the records of one dispatch. Files are replaced whole, so that a reader never sees half of one. */
export async function openRecords(brief: Brief): Promise<Records> {
  const session = join(brief.projectDir, brief.sessionDir)
  const statePath = join(brief.projectDir, brief.statePath ?? join(brief.sessionDir, 'state.json'))
  const handoffPath = join(brief.projectDir, brief.handoffPath ?? join(brief.sessionDir, 'handoff.json'))
  const learningsPath = join(session, 'learnings.md')
  const state = await readFields(statePath)
  const known = isFields(state.progress) ? state.progress : {}
  const progress: Fields = { ...known }
  const decisions: unknown[] = Array.isArray(state.decisions) ? [...state.decisions] : []

  const replace = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true })
    const draft = `${path}.${process.pid}.tmp`
    await writeFile(draft, text)
    await rename(draft, path)
  }
  const keyOf = (taskId: string) => Object.keys(progress).find((key) => sameTask(key, taskId)) ?? taskId
  const save = async (change: Fields) => {
    Object.assign(state, change)
    const whole = {
      schemaVersion: 1,
      position: {},
      ...state,
      progress,
      decisions,
      blockers: state.blockers ?? [],
    }
    await replace(statePath, `${JSON.stringify(whole, null, 2)}\n`)
  }

  return {
    async begin(taskIds) {
      for (const id of taskIds) progress[keyOf(id)] ??= 'pending'
      await save({})
    },
    progress(taskId) {
      const value = progress[keyOf(taskId)]
      return value === 'complete' || value === 'in_progress' ? value : 'pending'
    },
    async mark(taskId, value) {
      progress[keyOf(taskId)] = value
      await save({ position: { phase: 'execute', task: keyOf(taskId) } })
    },
    decisions: () =>
      decisions.filter(isFields).map((entry) => ({
        decision: String(entry.decision ?? ''),
        context: String(entry.context ?? ''),
      })),
    async decide(decision, context) {
      const there = decisions.filter(isFields)
      if (there.some((entry) => entry.decision === decision && entry.context === context)) return
      decisions.push({ date: today(), decision, context })
      await save({})
    },
    close: (summary, pendingTasks) =>
      save({ lastSession: { date: today(), summary, lastSkill: 'harness-execution', pendingTasks } }),
    handoff: (fields) =>
      replace(handoffPath, `${JSON.stringify({ timestamp: now(), blockers: [], ...fields }, null, 2)}\n`),
    async learn(outcome, lesson) {
      const before = (await readText(learningsPath)) ?? '# Learnings\n\n'
      if (before.includes(lesson)) return
      const entry = `- **${today()} [skill:harness-execution] [outcome:${outcome}]:** ${lesson}\n`
      await replace(learningsPath, `${before}${entry}`)
    },
  }
}
