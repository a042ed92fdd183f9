import { plainFact } from '../../../view/facts.js'
import type { TaskView } from '../../../view/view.js'
import { badgeFacts } from '../../evidence/badges.js'
import type { PartBoard } from '../part-board.js'
import type { Pass } from '../pass.js'
import { type PhasePlan, type PlanTask, plansIn } from '../plans.js'
import { taskFacts } from '../reading.js'
import { phaseOf } from '../state/phases.js'
import type { TaskRecord } from '../state/schema.js'
import type { PlaybookWork } from '../work.js'

const endings: Record<'completed' | 'failed' | 'deferred', TaskView['status']> = {
  completed: 'complete',
  failed: 'failed',
  // It is open still, for whoever looks at it in the end.
  deferred: 'pending',
}

/** Title of the task that mends what a phase lacks, which no plan has. */
export const mendingTitle = (phase: string) => `Mend what phase ${phase} lacks`

/** The tasks of a pass as they stand, for the screen; those of a part stand with the other parts, each under its own. */
export function showTasks(pass: Pass, plan: PhasePlan, own: readonly PlanTask[], atWork?: string): void {
  const { run, facts, input, log } = pass
  const { tasks: records } = phaseOf(run.state, facts.id).steps.execute
  const { parts } = input
  if (parts) isAt(parts, own, atWork)
  const active = parts ? new Set(parts.atWork.values()) : new Set([atWork])
  run.tasks(
    placed(plan, own, pass).map(({ id, title, part }): TaskView => {
      const record = records[id]
      const ended = log.tasks.get(id) ?? (part === undefined ? undefined : endingOf(record))
      const status = ended ? endings[ended] : active.has(id) ? 'in_progress' : 'pending'
      return {
        id,
        title,
        status,
        retries: status === 'pending' ? 0 : (record?.retries ?? 0),
        // All of them would leave no room for the title; the evidence view has them.
        facts: [
          ...(part === undefined ? [] : [plainFact(part)]),
          ...(ended && record ? taskFacts(record).slice(-1) : []),
        ],
      }
    }),
  )
}

function isAt({ parts, atWork }: PartBoard, own: readonly PlanTask[], task: string | undefined): void {
  const part = parts.find(({ tasks }) => own.some(({ id }) => tasks.includes(id)))
  if (part === undefined) return
  if (task === undefined) atWork.delete(part.id)
  else atWork.set(part.id, task)
}

/** The tasks in the order in which they are shown: those of a part together, in the order of the parts. */
function placed(
  plan: PhasePlan,
  own: readonly PlanTask[],
  { facts, input: { parts: board, remediation } }: Pass,
): { id: string; title: string; part?: string }[] {
  if (board === undefined) return own.map(({ id, title }) => ({ id, title }))
  if (remediation !== undefined)
    return board.parts.flatMap(({ id: part, tasks }) =>
      tasks.map((id) => ({ id, title: mendingTitle(facts.id), part })),
    )
  const all = plan.plans.flatMap(({ plan: { tasks } }) => tasks)
  return board.parts.flatMap(({ id: part, tasks }) =>
    all.filter(({ id }) => tasks.includes(id)).map(({ id, title }) => ({ id, title, part })),
  )
}

function endingOf(record: TaskRecord | undefined): keyof typeof endings | undefined {
  const status = record?.status
  return status === 'completed' || status === 'failed' || status === 'deferred' ? status : undefined
}

/**
 * The tasks of a phase as its record has them: for a state that a run comes back in, and after a verdict, which closes those
 * that waited for it. Titles are those of its plan.
 */
export async function showRecordedTasks({ run, tools }: PlaybookWork, id: string): Promise<void> {
  const { dir, steps, human_verdict: said } = phaseOf(run.state, id)
  const isApproved = (record: TaskRecord) => record.status === 'deferred' && said?.verdict === 'pass'
  const planned = typeof dir === 'string' ? (await plansIn(tools.root, dir, id)).tasks : []
  run.tasks(
    Object.entries(steps.execute.tasks).map(([task, record]): TaskView => {
      const ended = endingOf(record)
      const title = planned.find((one) => one.id === task)?.title ?? mendingTitle(id)
      const approved = isApproved(record)
      const status = approved ? 'complete' : ended ? endings[ended] : 'pending'
      const facts = approved ? badgeFacts(['approved']) : taskFacts(record).slice(-1)
      return { id: task, title, status, retries: record.retries, facts }
    }),
  )
}
