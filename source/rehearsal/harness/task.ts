import { counted } from '../../counted.js'
import { checkpointWork } from './checkpoint.js'
import { type Job, readProject, testProject, writeFiles } from './job.js'
import { sameTask } from './plan-text.js'
import type { ScriptTask } from './scenario/script.js'
import { commitWork, isCommitted, type TaskOutcome, type Work } from './work.js'

async function isMended(job: Job, script: ScriptTask): Promise<boolean> {
  for (const file of script.files) if ((await readProject(job, file.path)) === undefined) return false
  return (await testProject(job, script.tests)).ok
}

/** The attempts that do not pass. Undefined: there are none, or somebody mended the task meanwhile. */
async function failing(job: Job, work: Work): Promise<TaskOutcome | undefined> {
  const { script, planned } = work
  const retried = job.brief.retry !== undefined && sameTask(job.brief.retry.task, planned.id)
  if (script.drafts === undefined || retried) return undefined
  if (await isMended(job, script)) return { kind: 'done' }
  let error = ''
  for (const [index, draft] of script.drafts.entries()) {
    if (index > 0) await job.voice.say('Not right yet. One more try before I give it back.')
    await writeFiles(job, draft)
    const run = await testProject(job, script.tests)
    if (run.ok) return undefined
    error = run.output
  }
  await job.voice.say(`${planned.id} does not pass its tests. I report it instead of bending them.`)
  const fixAttempted = `${counted(script.drafts.length, 'version')}, each tested with node --test ${script.tests.join(' ')}`
  return { kind: 'failed', error, fixAttempted }
}

async function ordinaryWork(job: Job, work: Work): Promise<TaskOutcome> {
  const { script, planned } = work
  const again = job.brief.retry !== undefined && script.drafts !== undefined
  await job.voice.say(again ? 'The errors say enough. I start again from what they show.' : script.thought)
  const failed = await failing(job, work)
  if (failed?.kind === 'failed') return failed
  if (failed === undefined) {
    await writeFiles(job, script.files)
  }
  if (script.tests.length > 0) {
    const run = await testProject(job, script.tests)
    if (!run.ok) return { kind: 'failed', error: run.output, fixAttempted: 'none' }
  }
  if (planned.checkpoint === undefined) {
    if (script.lesson && job.brief.retry) await job.records.learn('gotcha', script.lesson)
    await commitWork(
      job,
      work,
      script.files.map((file) => file.path),
    )
  }
  return { kind: 'done' }
}

/** Does one task of the plan, from wherever an earlier dispatch left it. */
export async function doTask(job: Job, works: Work[], work: Work): Promise<TaskOutcome> {
  if (await isCommitted(job, works, work)) {
    await job.voice.say(`${work.planned.id} is committed already; I only note it down.`)
    return { kind: 'done' }
  }
  if (work.planned.checkpoint === undefined) return ordinaryWork(job, work)
  return checkpointWork(job, work, () => ordinaryWork(job, work))
}
