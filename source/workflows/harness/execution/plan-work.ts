import { createHash } from 'node:crypto'
import { type PlanTask, readPlan } from '../../../documents/plan.js'
import { readText } from '../../../project/text-files.js'
import { readProgress } from '../artifacts/task-state.js'
import type { HarnessState } from '../state/state.js'
import type { PhaseWork } from '../work.js'
import { currentTaskViews, type PhaseTasks } from './tasks.js'

/** The work on an approved plan. `done` grows as tasks are reported complete. */
export interface PlanWork extends PhaseWork {
  planPath: string
  tasks: readonly PlanTask[]
  done: Set<string>
}

export type OpenedPlan =
  | { kind: 'vanished' }
  | { kind: 'changed'; planPath: string }
  | { kind: 'open'; planPath: string; tasks: PlanTask[]; done: string[] }

/** Reads the plan; before the first task it has to be the one that was approved. */
export async function openPlan({ state, phase, tools }: PhaseWork): Promise<OpenedPlan> {
  const { planPath } = phase.record
  const text = planPath === null ? undefined : await readText(tools, planPath)
  if (planPath === null || text === undefined) return { kind: 'vanished' }
  const { tasks } = readPlan(text)
  const progress = await readProgress(tools, tasks, phase.number)
  const done = Object.keys(progress.byTask).filter((id) => progress.byTask[id] === 'complete')
  const approved = state.approvedPlanHash
  const untouched = done.length === 0 && !state.fix
  if (untouched && typeof approved === 'string' && approved !== planHash(text))
    return { kind: 'changed', planPath }
  return { kind: 'open', planPath, tasks, done }
}

/** SHA-256 of a plan's text, in hex: what an approval holds for. */
export function planHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Tasks that nobody has reported complete. */
export function openTasks(work: PlanWork): PlanTask[] {
  return work.tasks.filter((task) => !work.done.has(task.id))
}

export function phaseTasks(work: PlanWork): PhaseTasks {
  return { number: work.phase.number, tasks: work.tasks, done: work.done }
}

/** Shows the tasks as they stand now. */
export async function showTasks(work: PlanWork): Promise<void> {
  work.run.tasks(await currentTaskViews(work.tools, phaseTasks(work), work.run.state))
}

/** Shows the tasks of the current phase's plan, if it has one that can be read. */
export async function showPlannedTasks(
  work: Pick<PhaseWork, 'run' | 'tools'>,
  state: HarnessState,
  unplanned: 'none' | 'keep',
): Promise<void> {
  const path = state.phases[state.currentPhase]?.planPath ?? null
  const text = path === null ? undefined : await readText(work.tools, path)
  if (text === undefined && unplanned === 'keep') return
  const { tasks } = readPlan(text ?? '')
  const shown = { number: state.currentPhase + 1, tasks, done: new Set<string>() }
  work.run.tasks(await currentTaskViews(work.tools, shown, state))
}
