import { counted } from '../../../counted.js'
import { ownFailure } from '../decisions/against-itself.js'
import { taskSubject } from '../orders/commit-subject.js'
import type { HandoffFacts } from '../orders/fields.js'
import { orderTask, type PlanTask } from '../plans.js'
import { taskBegins, taskSays, tell } from '../progress.js'
import { type Sent, send } from '../send.js'
import { takeWork } from './commits.js'
import { handoffOf } from './handoff.js'
import { settleLeftChanges } from './leftovers.js'
import { logPathOf } from './log.js'
import { miniVerify } from './mini-verify.js'
import { failedDispatch, held, settleTask, type TaskSetting, takeEvidence } from './task.js'

/**
 * Many tasks in one conversation: one executor does them all, each is verified on its own afterwards. True where no
 * context was large enough.
 */
export async function runBatch(
  setting: TaskSetting,
  tasks: readonly PlanTask[],
  show: (atWork?: string) => void,
): Promise<boolean> {
  const { pass } = setting
  const { run, at, git } = pass
  const before = await run.step(`${at}batch-head`, async () => (await git.head()) ?? '')
  await tell(pass, 'batch', `${counted(tasks.length, 'task')} in one conversation`)
  show(tasks[0]?.id)
  const sent = await sendBatch(setting, tasks)
  const subject = taskSubject('feat', pass.facts.id, 'batch')
  const written = await takeWork(pass, 'batch-work', before, subject)
  if (!sent.ok && sent.error === 'context') return true
  if (sent.ok) takeEvidence(pass, sent.result)
  for (const [index, task] of tasks.entries()) {
    show(task.id)
    await taskBegins(pass, { id: task.id, number: index + 1, total: tasks.length }, task.title)
    const own = written.commits.filter(({ subject: said }) => said.includes(task.id))
    const files = written.files.filter((file) => task.files.length === 0 || task.files.includes(file))
    const told = sent.ok ? sent.result.evidence.filter(({ task_id: id }) => id === task.id) : []
    // Of many it does not say which: those that it says nothing more of.
    const failure = sent.ok && told.length === 0 && own.length === 0 ? ownFailure(sent.result) : undefined
    const first = sent.ok
      ? held(await miniVerify(pass, `${task.id}-check`, task, files), failure)
      : failedDispatch(sent.message)
    if (own.length === 0 && sent.ok)
      await taskSays(pass, `${task.id}-no-commit`, task.id, 'no commit names it')
    const status = await settleTask(pass, task, {
      before,
      head: (await run.step(`${at}${task.id}-at`, async () => git.head())) ?? before,
      commits: own.map(({ sha }) => sha),
      files,
      verdict: first,
      evidence: told.flatMap(({ criteria_met: met }) => met),
      confidence: sent.ok ? (sent.result.confidence ?? null) : null,
    })
    pass.log.tasks.set(task.id, status)
  }
  show()
  return false
}

async function sendBatch(setting: TaskSetting, tasks: readonly PlanTask[]): Promise<Sent<'execution'>> {
  const first = await sendOnce(setting, tasks, undefined)
  if (first.ok || first.error !== 'context') return first
  const ids = tasks.map(({ id }) => id)
  const handoff = await handoffOf(setting.pass, 'batch-handoff', ids)
  await tell(setting.pass, 'batch-full', 'The context of the executor is full; a fresh one takes the rest')
  const rest = tasks.filter(({ id }) => handoff.tasksRemaining.includes(id))
  return sendOnce(setting, rest.length > 0 ? rest : tasks, handoff)
}

async function sendOnce(
  { pass, plan, baseline }: TaskSetting,
  tasks: readonly PlanTask[],
  handoff: HandoffFacts | undefined,
): Promise<Sent<'execution'>> {
  const { tools, run, at, input, facts } = pass
  const key = handoff === undefined ? 'batch' : 'batch-rest'
  const learnings = await run.step(`${at}${key}-learnings`, () => tools.learningsPath())
  const map = tools.repoMapPath()
  await settleLeftChanges(pass, key, tasks.map(({ id }) => id).join(', '))
  return send(
    pass,
    'execution',
    {
      tasks: tasks.map(orderTask),
      planPaths: plan.paths,
      logPath: logPathOf(pass),
      baselineCompile: baseline,
      lastCheckpointSha: input.checkpoint,
      commitSubject: `feat(${facts.id}): {task_id} - `,
      ...(learnings === null ? {} : { learningsPath: learnings }),
      ...(map === undefined ? {} : { repoMapPath: map }),
      ...(handoff === undefined ? {} : { handoff }),
    },
    {
      key: key,
      title: `Tasks ${tasks[0]?.id ?? ''} to ${tasks.at(-1)?.id ?? ''}`,
      attempt: handoff === undefined ? 1 : 2,
    },
  )
}
