import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlaybookCriterion } from '../../documents/playbook-criterion.js'
import { type PlaybookPlan, type PlaybookTask, readPlaybookPlan } from '../../documents/playbook-plan.js'
import { readText } from '../../project/text-files.js'
import type { OrderCriterion, OrderTask } from './orders/fields.js'
import type { PhaseWork } from './work.js'

/** What the plans of a phase hold, as it was when they were read. */
export interface PhasePlan {
  /** Repo-relative, in the order in which they are worked through. */
  paths: string[]
  /** The same plans, each as it was read, by its own name. */
  plans: { id: string; path: string; plan: PlaybookPlan }[]
  tasks: PlanTask[]
  /** Of whole plans, checked after their last task. */
  criteria: OrderCriterion[]
}

export interface PlanTask extends Omit<PlaybookTask, 'criteria'> {
  criteria: OrderCriterion[]
}

const planName = /^(?:\d[\w.]*-)?(?:\d+-)?PLAN(?:-\d+)?\.md$/i

/** Names of the plan files of a phase. */
export async function planFiles(root: string, dir: string): Promise<string[]> {
  const names = await readdir(join(root, dir)).catch(() => [] as string[])
  return names
    .filter((name) => planName.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

/** Reads the plans of a phase, once for each key: what was read is what is worked through. */
export function readPlans(work: PhaseWork, key: string): Promise<PhasePlan> {
  const { facts, tools, run, cwd = '.' } = work
  const read = () => plansIn(join(tools.root, cwd), facts.dir, facts.id)
  return run.step(`${work.at}${key}`, read) as Promise<PhasePlan>
}

export async function plansIn(root: string, dir: string, phase: string): Promise<PhasePlan> {
  const whole: PhasePlan = { paths: [], plans: [], tasks: [], criteria: [] }
  const names = await planFiles(root, dir)
  for (const [index, name] of names.entries()) {
    const path = `${dir}/${name}`
    const id = String(index + 1).padStart(2, '0')
    const plan = readPlaybookPlan((await readText({ root }, path)) ?? '', {
      phase,
      taken: whole.tasks.map((task) => task.id),
      ...(names.length > 1 ? { plan: id } : {}),
    })
    const first = whole.criteria.length
    whole.paths.push(path)
    whole.plans.push({ id, path, plan })
    whole.tasks.push(...plan.tasks.map(withCriteriaIds))
    whole.criteria.push(...plan.criteria.map((one, at) => ({ ...one, id: `plan-c${first + at + 1}` })))
  }
  return whole
}

function withCriteriaIds(task: PlaybookTask): PlanTask {
  const criteria = task.criteria.map((criterion, at) => ({
    ...criterion,
    id: `${task.id}-c${at + 1}`,
    taskId: task.id,
  }))
  return { ...task, criteria }
}

export function allCriteria(plan: PhasePlan): OrderCriterion[] {
  return [...plan.tasks.flatMap(({ criteria }) => criteria), ...plan.criteria]
}

export function orderTask({ id, title, type, complexity, files, criteria }: PlanTask): OrderTask {
  return { id, title, type, complexity, files, criteria }
}

/** Criteria of the roadmap, where there is no plan. */
export function phaseCriteria(criteria: readonly PlaybookCriterion[]): OrderCriterion[] {
  return criteria.map((criterion, at) => ({ ...criterion, id: `phase-c${at + 1}` }))
}
