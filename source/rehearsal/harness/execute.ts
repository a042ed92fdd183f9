import { counted } from '../../counted.js'
import type { Delivery, Job } from './job.js'
import { mend } from './mend.js'
import { kebab, sameTask } from './plan-text.js'
import { doTask } from './task.js'
import { type TaskOutcome, type Work, worksOf } from './work.js'

/** harness-task-executor: works through the plan, one commit for each task, and stops where a person is needed. */
export async function execute(job: Job): Promise<Delivery> {
  const { brief, records, voice } = job
  const works = await worksOf(job)
  await records.begin(works.map((work) => work.planned.id))
  const isOpen = (work: Work) => records.progress(work.planned.id) !== 'complete'
  const completed = () => works.filter((work) => !isOpen(work)).map((work) => work.planned.id)
  const pending = () => works.filter(isOpen).map((work) => work.planned.id)
  const showPlan = () =>
    voice.plan(
      works.map(({ planned }) => ({
        text: `${planned.id}: ${planned.title}`,
        status: records.progress(planned.id),
      })),
    )

  const retried = works.filter((work) => brief.retry && sameTask(brief.retry.task, work.planned.id))
  const chosen = retried.length > 0 ? retried : works
  await voice.say(
    brief.findings.length > 0
      ? `To mend (${brief.findings.length}) in "${brief.phase.name}".`
      : `Working on "${brief.phase.name}", ${pending().length} of ${counted(works.length, 'task')} open.`,
  )
  const mended = await mend(job)

  for (const work of chosen.filter(isOpen)) {
    await records.mark(work.planned.id, 'in_progress')
    showPlan()
    const outcome = await doTask(job, works, work)
    if (outcome.kind === 'done') {
      await records.mark(work.planned.id, 'complete')
      showPlan()
      continue
    }
    const summary =
      outcome.kind === 'failed'
        ? `${work.planned.id} failed: its tests are red`
        : `${work.planned.id} waits for a person`
    await close(job, { summary, completed: completed(), pending: pending() })
    return { summary, result: { ...stoppedAt(work, outcome), completed: completed() } }
  }
  const summary =
    mended.length > 0
      ? `Mended: ${mended.join('; ')}`
      : `${completed().length} of ${counted(works.length, 'task')} complete`
  await close(job, { summary, completed: [...completed(), ...mended], pending: pending() })
  return { summary, result: { status: 'complete', completed: completed() } }
}

/** Status and reason of an execution that ends before its last task. */
function stoppedAt(work: Work, outcome: Exclude<TaskOutcome, { kind: 'done' }>): Record<string, unknown> {
  if (outcome.kind === 'checkpoint') return { status: 'checkpoint', checkpoint: outcome.checkpoint }
  const { error, fixAttempted } = outcome
  return { status: 'failed', failure: { task: work.planned.id, error, fixAttempted } }
}

/** The records that an execution leaves, however far it came. */
async function close(
  job: Job,
  { summary, completed, pending }: { summary: string; completed: string[]; pending: string[] },
) {
  await job.voice.say(`${summary}.`)
  await job.records.close(summary, pending)
  await job.records.handoff({
    fromSkill: 'harness-execution',
    phase: 'EXECUTE',
    summary,
    completed,
    pending,
    concerns: [],
    decisions: job.records.decisions().map(({ decision, context }) => ({ what: decision, why: context })),
    contextKeywords: [kebab(job.brief.phase.name)],
    pendingTasks: pending,
    learnings: [],
  })
}
