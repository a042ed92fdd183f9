import { runNode } from '../node-tests.js'
import { type Job, readProject, testProject, writeFiles } from './job.js'
import { kebab, sameTask } from './plan-text.js'
import type { ScriptFile } from './scenario/script.js'
import { pathsOf } from './scenario/script.js'
import { type Checkpoint, commitWork, type TaskOutcome, type Work } from './work.js'

type Answer = NonNullable<Job['brief']['checkpointAnswer']>

const fallbackOptions = ['keep it small', 'make it complete']

/** What the person is to look at, really printed by the code as it is now. */
async function shown(job: Job, work: Work): Promise<string> {
  const { checkpoint } = work.script
  if (checkpoint?.type !== 'human-verify') return ''
  const title = 'show the result'
  return job.voice.tool({ name: 'bash', kind: 'exec', title }, async () => {
    const run = await runNode(job.brief.projectDir, ['--input-type=module', '-e', checkpoint.show])
    return { output: run.output, ok: run.code === 0, value: run.output.trimEnd() }
  })
}

function optionsOf(work: Work): string[] {
  if (work.planned.options.length > 0) return work.planned.options
  if (work.script.checkpoint?.type === 'decision') return work.script.checkpoint.options.map((o) => o.label)
  return fallbackOptions
}

async function question(job: Job, work: Work): Promise<Checkpoint> {
  const { planned, script } = work
  const type = planned.checkpoint ?? 'human-verify'
  const asked =
    script.checkpoint?.type === type ? script.checkpoint.prompt : `${planned.title}: please look at it.`
  const picture = await shown(job, work)
  return {
    type,
    task: planned.id,
    prompt: picture === '' ? asked : `${asked}\n\n${picture}`,
    ...(type === 'decision' ? { options: optionsOf(work) } : {}),
  }
}

/** The scripted option that an answer means; free text means the first one it names. */
function chosenFiles(work: Work, answer: string): ScriptFile[] {
  const { checkpoint } = work.script
  if (checkpoint?.type !== 'decision') {
    const path = `docs/decisions/${kebab(work.planned.title)}.md`
    return [...work.script.files, { path, text: `# ${work.planned.title}\n\nDecided: ${answer}\n` }]
  }
  const wanted = answer.trim().toLowerCase()
  const option =
    checkpoint.options.find(({ label }) => label === wanted) ??
    checkpoint.options.find(
      ({ label }) => wanted.includes(label) || (wanted !== '' && label.includes(wanted)),
    ) ??
    checkpoint.options[0]
  if (!option) return work.script.files
  if (option.label === wanted) return option.files
  return option.files.map((file) =>
    file.path.endsWith('.md')
      ? { ...file, text: `${file.text}\nIn the words of the person: ${answer.trim()}\n` }
      : file,
  )
}

async function settleDecision(job: Job, work: Work, answer: Answer): Promise<TaskOutcome> {
  await job.voice.say(`Decided: ${answer.answer}. I make it so.`)
  const files = chosenFiles(work, answer.answer)
  await writeFiles(job, files)
  await job.records.decide(answer.answer, `${work.planned.id}: ${work.planned.title}`)
  if (work.script.tests.length > 0) {
    const run = await testProject(job, work.script.tests)
    if (!run.ok) return { kind: 'failed', error: run.output, fixAttempted: 'none' }
  }
  await commitWork(
    job,
    work,
    files.map((file) => file.path),
  )
  return { kind: 'done' }
}

/** The same for every start of one dispatch: ids of a repeated one differ only in attempt and random end. */
const dispatchOf = (job: Job) => job.brief.id.replace(/-\d+-[0-9a-f]{8}$/, '')

async function drawAgain(job: Job, work: Work, answer: Answer): Promise<TaskOutcome> {
  const { script, planned } = work
  const rejection = `Rejected: ${answer.note ?? answer.answer}`
  await job.voice.say(`${planned.id} was rejected. ${answer.note ?? 'I try it another way.'}`)
  await job.records.decide(rejection, `${planned.id}, ${dispatchOf(job)}`)
  const rejections = job.records
    .decisions()
    .filter((entry) => entry.decision.startsWith('Rejected: ') && entry.context.startsWith(`${planned.id}, `))
  const layouts = script.checkpoint?.type === 'human-verify' ? script.checkpoint.layouts : [script.files]
  await writeFiles(job, layouts[rejections.length % layouts.length] ?? script.files)
  if (script.tests.length > 0) {
    const run = await testProject(job, script.tests)
    if (!run.ok) return { kind: 'failed', error: run.output, fixAttempted: 'none' }
  }
  return { kind: 'checkpoint', checkpoint: await question(job, work) }
}

const isRejection = (answer: Answer) => /^(reject|no\b|revise)/i.test(answer.answer.trim())

/** Autopilot commits what was confirmed; what it was told to leave is committed here, so that no work lies around. */
async function settleConfirmed(job: Job, work: Work): Promise<TaskOutcome> {
  await job.voice.say(`${work.planned.id} is confirmed.`)
  const paths: string[] = []
  for (const path of pathsOf(work.script)) if ((await readProject(job, path)) !== undefined) paths.push(path)
  if ((await job.repository.changed(paths)).length > 0) await commitWork(job, work, paths)
  return { kind: 'done' }
}

/**
 * A task with a checkpoint: the work is done and left uncommitted, then a person is asked. The dispatch that brings
 * the answer finishes the task.
 */
export async function checkpointWork(
  job: Job,
  work: Work,
  prepare: () => Promise<TaskOutcome>,
): Promise<TaskOutcome> {
  const { checkpointAnswer: answer } = job.brief
  if (answer === undefined || !sameTask(answer.task, work.planned.id)) {
    const prepared = await prepare()
    if (prepared.kind !== 'done') return prepared
    return { kind: 'checkpoint', checkpoint: await question(job, work) }
  }
  if (work.planned.checkpoint === 'decision') return settleDecision(job, work, answer)
  if (isRejection(answer)) return drawAgain(job, work, answer)
  return settleConfirmed(job, work)
}
