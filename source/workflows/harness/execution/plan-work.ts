import { type PlanTask, readPlan } from '../../../documents/plan.js'
import { sameContent } from '../../../documents/same-content.js'
import { readText } from '../../../project/text-files.js'
import type { WorkPlace } from '../../commits/place.js'
import { frozenText, pathOfKept, textHash } from '../artifacts/frozen.js'
import { readProgress } from '../artifacts/task-state.js'
import type { HarnessState } from '../state/state.js'
import type { PhaseWork } from '../work.js'
import { currentTaskViews, type PhaseTasks } from './tasks.js'

/** The work on an approved plan. `done` grows as tasks are reported complete and nothing speaks against it. */
export interface PlanWork extends PhaseWork {
  /** Where the executor reads the plan. */
  planPath: string
  /** The text that was approved; its tasks and markers count, whatever the file says. */
  plan: string
  tasks: readonly PlanTask[]
  done: Set<string>
  /** Where the work tree stood when the last dispatch or commit had ended. */
  place?: WorkPlace
}

export type OpenedPlan =
  | { kind: 'vanished' }
  | { kind: 'changed'; planPath: string }
  | { kind: 'open'; planPath: string; plan: string; done: string[] }

/** Reads the plan; before the first task it has to be the one that was approved. */
export async function openPlan(work: PhaseWork): Promise<OpenedPlan> {
  const { state, phase, tools } = work
  const { planPath } = phase.record
  if (planPath === null) return { kind: 'vanished' }
  const text = await readText(tools, planPath)
  const plan = await approvedText(work, planPath, text)
  if (plan === undefined) return text === undefined ? { kind: 'vanished' } : { kind: 'changed', planPath }
  const progress = await readProgress(tools, readPlan(plan).tasks, phase.number)
  const done = Object.keys(progress.byTask).filter((id) => progress.byTask[id] === 'complete')
  if (done.length === 0 && !state.fix) {
    if (text === undefined) return { kind: 'vanished' }
    if (!sameContent(text, plan)) return { kind: 'changed', planPath }
  }
  return { kind: 'open', planPath: await pathOfKept(tools, planPath, plan), plan, done }
}

/** The approved text. A session of 0.1.0 has its hash alone, and goes on with the file as it is. */
async function approvedText(
  { state, phase, tools }: PhaseWork,
  planPath: string,
  text: string | undefined,
): Promise<string | undefined> {
  const hash = phase.record.approvedPlan
  if (hash !== undefined) return frozenText(tools, hash, planPath)
  const older = state.approvedPlanHash
  if (text === undefined || typeof older !== 'string' || textHash(text) === older) return text
  const progress = await readProgress(tools, readPlan(text).tasks, phase.number)
  const begun = Object.values(progress.byTask).includes('complete') || state.fix !== undefined
  return begun ? text : undefined
}

/** The approved plan of a phase that is over or at work; the file where an older version kept no copy. */
export async function planOfPhase(
  tools: PhaseWork['tools'],
  state: HarnessState,
  index: number,
): Promise<string | undefined> {
  const phase = state.phases[index]
  if (!phase || phase.planPath === null) return undefined
  if (phase.approvedPlan === undefined) return readText(tools, phase.planPath)
  return frozenText(tools, phase.approvedPlan, phase.planPath)
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
  await showPlanned(work, state, readPlan(text ?? '').tasks)
}

/** Shows these tasks as those of the current phase. */
export async function showPlanned(
  { run, tools }: Pick<PhaseWork, 'run' | 'tools'>,
  state: HarnessState,
  tasks: readonly PlanTask[],
): Promise<void> {
  const shown = { number: state.currentPhase + 1, tasks, done: new Set<string>() }
  run.tasks(await currentTaskViews(tools, shown, state))
}
