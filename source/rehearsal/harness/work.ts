import { commitPaths, type Job, readProject } from './job.js'
import { type CheckpointType, kebab, type PlannedTask, readPlan } from './plan-text.js'
import type { ScriptTask } from './scenario/script.js'
import { noteTask, phaseNamed } from './scenario.js'

/** A task of the plan with what the script knows about it. */
export interface Work {
  planned: PlannedTask
  script: ScriptTask
  /** Subject of the task's commit. */
  commit: string
}

export interface Checkpoint {
  type: CheckpointType
  task: string
  prompt: string
  options?: string[]
}

/** How far one task came in one dispatch. */
export type TaskOutcome =
  | { kind: 'done' }
  | { kind: 'checkpoint'; checkpoint: Checkpoint }
  | { kind: 'failed'; error: string; fixAttempted: string }

/** The plan as it is on disk now, which a person may have changed, matched with the script by title. */
export async function worksOf(job: Job): Promise<Work[]> {
  const { phase, planPath, findings } = job.brief
  // An order to mend findings of the whole run has no plan.
  if (planPath === undefined && findings.length > 0) return []
  const script = phaseNamed(phase.name)
  const text = planPath === undefined ? undefined : await readProject(job, planPath)
  if (text === undefined) {
    return script.tasks.map((task, index) => ({
      planned: {
        id: `Task ${index + 1}`,
        title: task.title,
        commit: task.commit,
        checkpoint: task.checkpoint?.type,
        options: [],
      },
      script: task,
      commit: task.commit,
    }))
  }
  return readPlan(text).map((planned) => {
    const known = script.tasks.find((task) => kebab(task.title) === kebab(planned.title))
    const title = planned.title || planned.id
    const commit = planned.commit || known?.commit || `docs(notes): ${title} (${phase.name})`
    return { planned, script: known ?? noteTask(phase.name, title, commit, planned.id), commit }
  })
}

/** Whether the task's commit is there: the third task with a subject needs three commits with it. */
export async function isCommitted(job: Job, works: Work[], work: Work): Promise<boolean> {
  const before = works.slice(0, works.indexOf(work)).filter((other) => other.commit === work.commit).length
  const subjects = await job.repository.subjects(job.brief.diffBase)
  return subjects.filter((subject) => subject === work.commit).length > before
}

/** Commits a task, and the plan with it when the plan is not committed yet. */
export async function commitWork(job: Job, work: Work, paths: string[]): Promise<void> {
  const plan = job.brief.planPath === undefined ? [] : [job.brief.planPath]
  await commitPaths(job, work.commit, [...paths, ...plan])
}
