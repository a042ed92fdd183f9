import { type NamedTask, planLosses } from '../../../documents/plan-losses.js'
import type { PhasePlan, PlanTask } from '../plans.js'
import type { PlanIssue } from '../results.js'

// What a plan does not hold any more that the one before it held, in the same phase of the same run
// (docs/playbook-checks.md, "Plan check"). Pure.

export interface PlanLosses {
  /**
   * For who checks the plan, and for the next planner. A blocker: a task of a person is gone, or is nobody's of a person any
   * more; no planner decides that.
   */
  issues: PlanIssue[]
  /** The same, a line each: for the next gates. */
  lines: string[]
}

const named = ({ id, title, type }: PlanTask): NamedTask => ({
  id,
  title,
  ...(type === 'auto' ? {} : { checkpoint: type }),
})

const keepIt = 'Keep what is for a person as a task of that type; whether it is needed is theirs to say.'

/** `asked`: what was held against the plan before; a task that it names may go. */
export function lossesOf(before: PhasePlan, now: PhasePlan, asked: readonly PlanIssue[]): PlanLosses {
  const isAsked = ({ id, title }: PlanTask) =>
    asked.some(({ description, fix_hint: hint }) =>
      [id, title].some((name) => description.includes(name) || hint.includes(name)),
    )
  const fresh = now.tasks.map(named)
  const lostOf = (tasks: readonly PlanTask[]) => planLosses(tasks.map(named), fresh)
  const people = before.tasks.filter((task) => task.type !== 'auto' && !isAsked(task))
  const blocking = new Set(lostOf(people).filter((line) => /\bmarke[dr]\b/.test(line)))
  const lines = [...lostOf(before.tasks), ...fewerCriteria(before, now)]
  const plan = now.plans[0]?.id ?? '01'
  const issues = lines.map((description): PlanIssue => {
    const [severity, hint] = blocking.has(description)
      ? (['blocker', keepIt] as const)
      : (['warning', ''] as const)
    return { plan, dimension: 'coverage', severity, description, fix_hint: hint }
  })
  return { issues, lines }
}

/** Tasks that are there as before, and are shown by fewer commands. */
function fewerCriteria(before: PhasePlan, now: PhasePlan): string[] {
  const commands = ({ criteria }: PlanTask) => criteria.flatMap((one) => one.commands).length
  return before.tasks.flatMap((task) => {
    const same = now.tasks.find(({ title }) => title.trim().toLowerCase() === task.title.trim().toLowerCase())
    const [old, fresh] = [commands(task), same === undefined ? 0 : commands(same)]
    return same !== undefined && fresh < old
      ? [`Task ${task.id} (${task.title}) is shown by ${fresh} of ${old} commands.`]
      : []
  })
}
