import { lineDiff } from '../../../documents/diff.js'
import { type PlanTask, readPlan } from '../../../documents/plan.js'
import { sameContent } from '../../../documents/same-content.js'
import { readText } from '../../../project/text-files.js'
import type { GateBuild } from '../../../run/run.js'
import { qChangedText } from '../../evidence/questions.js'
import { sessionFiles } from '../artifacts/files.js'
import { freeze, keptText, textHash } from '../artifacts/frozen.js'
import { withPhase } from '../phases.js'
import { withDecision } from '../state/decisions.js'
import type { PlanWork } from './plan-work.js'

// A plan that was changed after its execution began: shown, and taken over only when the person says so
// (docs/evidence.md, "Plan and spec").

interface FoundPlan {
  /** SHA-256 of what the file says now, of which a copy is kept; absent where it says what was approved, or is gone. */
  hash?: string
}

const shownLines = 400

/**
 * Compares the file with what was approved. Taken over, its tasks are what is left to do: added ones are open, also where
 * everything else is complete. Returns whether it was taken over. `key` is unique in the visit.
 */
export async function settlePlanChange(work: PlanWork, key: string): Promise<boolean> {
  const { run, tools, phase } = work
  const { answer, subject } = await run.gate<FoundPlan>(`plan-${key}`, () => buildGate(work))
  const { hash } = subject
  if (hash === undefined || answer.value === 'same') return false
  const take = answer.value === 'take'
  await run.update(`plan-${key}-decided`, (latest) =>
    withDecision(
      withPhase(
        latest,
        phase.index,
        take ? { approvedPlan: hash, refusedPlan: undefined } : { refusedPlan: hash },
      ),
      {
        phase: phase.index,
        decision: take ? 'plan_changed' : 'plan_change_refused',
        timestamp: tools.now().toISOString(),
        choice: phase.record.planPath ?? '',
      },
    ),
  )
  if (!take) {
    work.planPath = sessionFiles(tools.sessionDir).frozen(textHash(work.plan))
    await run.step(`plan-${key}-copy`, () => freeze(tools, work.plan))
    return false
  }
  const old = work.tasks
  const planPath = phase.record.planPath ?? work.planPath
  const text = await keptText(tools, hash, planPath)
  work.plan = text
  work.planPath = planPath
  work.tasks = readPlan(text).tasks
  work.done = new Set([...work.done].filter((id) => isSameTask(id, old, work.tasks)))
  return true
}

function isSameTask(id: string, old: readonly PlanTask[], fresh: readonly PlanTask[]): boolean {
  const title = (tasks: readonly PlanTask[]) => tasks.find((task) => task.id === id)?.title
  return title(fresh) !== undefined && title(fresh) === title(old)
}

async function buildGate(work: PlanWork): Promise<GateBuild<FoundPlan>> {
  const { tools, phase, run } = work
  const { planPath } = phase.record
  const text = planPath === null ? undefined : await readText(tools, planPath)
  const refused = run.state.phases[phase.index]?.refusedPlan
  if (planPath === null || text === undefined || sameContent(text, work.plan) || textHash(text) === refused)
    return { subject: {}, settled: 'same' }
  const title = `${phase.label}: ${planPath} is not what was approved`
  const diff = lineDiff(work.plan, text).slice(0, shownLines)
  const what = { gate: 'Q-PLAN-CHANGED', title, path: planPath } as const
  return {
    subject: { hash: await freeze(tools, text) },
    question: qChangedText(what, diff, meaning(work, text)),
  }
}

/** What taking it over would come to, by its tasks. */
function meaning({ tasks }: PlanWork, text: string): string[] {
  const fresh = readPlan(text).tasks
  const name = (task: PlanTask) => `Task ${task.id}: ${task.title}`
  const added = fresh.filter((task) => !isSameTask(task.id, tasks, fresh)).map(name)
  const gone = tasks.filter((task) => !isSameTask(task.id, tasks, fresh)).map(name)
  const marker = (list: readonly PlanTask[]) => list.filter((task) => task.checkpoint).map((task) => task.id)
  const unmarked = marker(tasks).filter((id) => !marker(fresh).includes(id))
  return [
    ...(added.length > 0 ? [`Would be executed in addition: ${added.join('; ')}`] : []),
    ...(gone.length > 0 ? [`Would no longer belong to the phase: ${gone.join('; ')}`] : []),
    ...(unmarked.length > 0 ? [`Would no longer ask you: Task ${unmarked.join(', Task ')}`] : []),
    ...(added.length + gone.length + unmarked.length === 0
      ? ['The tasks stay; what is said of them changes.']
      : []),
  ]
}
