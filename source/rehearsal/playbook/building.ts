import { git } from '../repository.js'
import { type Delivery, type Job, readProject, runCommandLine, writeFiles } from './job.js'
import type { SampleFile, TaskScript } from './scenario.js'

/** phase-executor: writes the files of its task, or what mends the phase; runs the tests and commits. */
export async function execute(job: Job): Promise<Delivery> {
  const { order, script, voice } = job
  if (order.remediationFeedback) return mend(job, order.remediationFeedback)
  const task = taskOf(job)
  await voice.say(`${order.task?.id}: ${task.action}`)
  await writeFiles(job, task.writes ?? [])
  const commit = await testAndCommit(job, task.writes ?? [], task.title.toLowerCase())
  const [{ at } = { at: undefined }] = script.trials
  return deliver(job, {
    commit,
    met: at ? [`${task.criteria[0] ?? task.title} -- ${at.path}:1`] : [],
    confidence: 8,
  })
}

/** One cycle of mending: by the script where a trial did not hold; a wish of a person is noted for the next plan. */
async function mend(
  job: Job,
  feedback: readonly { criterion: string; deficiency: string; source: string }[],
): Promise<Delivery> {
  const { script, voice } = job
  const wishes = feedback.filter(({ source }) => source === 'human').map(({ deficiency }) => deficiency)
  for (const { deficiency } of feedback.slice(0, 3)) await voice.say(`To mend: ${deficiency}`)
  const files = wishes.length > 0 ? await noted(job, wishes) : (script.mended ?? [])
  await writeFiles(job, files)
  const what = wishes.length > 0 ? 'note what a person saw' : 'mend what was found'
  const commit = await testAndCommit(job, files, what)
  return deliver(job, { commit, met: files.map(({ path }) => `${what} -- ${path}:1`), confidence: 9 })
}

async function noted(job: Job, wishes: readonly string[]): Promise<SampleFile[]> {
  const path = 'wishes.md'
  const before = (await readProject(job, path)) || '# Wishes\n\n'
  return [{ path, text: `${before}${wishes.map((wish) => `- ${wish}\n`).join('')}` }]
}

/** phase-debugger: puts right what a check shows, runs the tests and commits. */
export async function debug(job: Job): Promise<Delivery> {
  const { order, script, voice } = job
  const [first] = order.failingChecks
  await voice.say(`It fails: ${order.issues[0] ?? first?.command ?? 'nothing that I was told'}`)
  const files = (order.task ? taskOf(job).better : undefined) ?? script.tasks[0]?.better ?? []
  await writeFiles(job, files)
  const commit = await testAndCommit(job, files, 'put right what a check showed')
  return {
    result: {
      fixed: files.length > 0,
      changes: files.map(({ path }) => path),
      commits: commit === undefined ? [] : [commit],
      remaining_issues: files.length > 0 ? [] : order.issues,
      failure_categories: [{ failure: order.issues[0] ?? 'a check', category: 'acceptance_criteria_unmet' }],
    },
    summary: files.length > 0 ? 'Put right' : 'I do not know what else to do',
  }
}

function taskOf({ order, script }: Job): TaskScript {
  const task = script.tasks.find(({ title }) => title === order.task?.title)
  if (!task) throw new Error(`The rehearsal knows no task "${order.task?.title}" in ${order.phase.name}.`)
  return task
}

async function testAndCommit(
  job: Job,
  files: readonly SampleFile[],
  words: string,
): Promise<string | undefined> {
  const { order, repository, voice } = job
  if (files.length === 0) return undefined
  await runCommandLine(job, 'node --test')
  const subject = `${order.commitSubject}${words}`
  return voice.tool({ name: 'bash', kind: 'exec', title: `git commit: ${subject}` }, async () => {
    await repository.commit(
      subject,
      files.map(({ path }) => path),
    )
    const head = (await git(order.projectDir, ['rev-parse', 'HEAD'])).stdout.trim()
    return { output: head, value: head }
  })
}

function deliver(
  { order }: Job,
  { commit, met, confidence }: { commit: string | undefined; met: string[]; confidence: number },
): Delivery {
  return {
    result: {
      tasks_completed: '1/1',
      tasks_failed: '0/1',
      commit_shas: commit === undefined ? [] : [commit],
      evidence: [{ task_id: order.task?.id ?? '', criteria_met: met, commands_run: ['node --test -> ok'] }],
      deviations: [],
      confidence,
    },
    summary: `${order.task?.id ?? 'The task'} is written`,
  }
}
