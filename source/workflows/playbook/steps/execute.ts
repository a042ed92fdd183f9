import { counted } from '../../../counted.js'
import { checkpointTag } from '../decisions/rollback.js'
import type { Pass } from '../pass.js'
import type { PhasePlan, PlanTask } from '../plans.js'
import { tell } from '../progress.js'
import { exhaustedIssue } from '../records/handoff.js'
import { runBatch } from '../task-loop/batch.js'
import { humanTask } from '../task-loop/human-task.js'
import { mendingTitle, showTasks } from '../task-loop/show-tasks.js'
import { baselineOf, runTask } from '../task-loop/task.js'
import { type Failure, note, type Outcome } from './failure.js'
import { testsAtStart } from './lost-tests.js'
import { runStep, type StepEnd } from './step.js'

/** More tasks than this are done in one conversation. */
const mostSingle = 8

export interface Executed {
  /** Tasks that wait for a person. */
  deferred: PlanTask[]
  completed: number
  failed: number
  total: number
}

/** 6 EXECUTE: the tasks of the plan, one after the other. A failed one is told; the next one begins all the same. */
export function execute(pass: Pass, plan: PhasePlan): Promise<Outcome<{ executed: Executed }>> {
  const tasks = tasksOf(pass, plan)
  const auto = tasks.filter(({ type }) => type === 'auto')
  return runStep<'execute', Outcome<{ executed: Executed }>>(
    pass,
    'execute',
    async () => {
      pass.log.steps.execute.agent_spawned = auto.length > 0
      const standing = await standingTasks(pass, tasks)
      showTasks(pass, plan, tasks)
      if (auto.length > 0) await testsAtStart(pass)
      const exhausted = await work(pass, plan, tasks, standing)
      await pass.run.step(`${pass.at}tags-gone`, () => dropOwnTags(pass, tasks))
      const executed = executedOf(pass, tasks, plan)
      if (exhausted) return exhaustedEnd(pass, executed)
      const status = auto.length === 0 ? 'skipped' : executed.failed > 0 ? 'partial' : 'completed'
      pass.log.steps.execute.status = status
      return {
        result: { ok: true, executed },
        end: {
          record: { status },
          mark: executed.failed > 0 ? 'fail' : 'pass',
          more: `${executed.completed}/${counted(executed.total, 'task')} passed`,
        },
      }
    },
    `${counted(tasks.length, 'task')} to run`,
  )
}

/** A part of a phase leaves the tags of the others where they are. */
async function dropOwnTags({ facts, git, input }: Pass, tasks: readonly PlanTask[]): Promise<void> {
  const ids = input.parts === undefined ? [''] : tasks.map(({ id }) => id)
  for (const id of ids) await git.dropTags(checkpointTag(facts.id, id))
}

/** Id of the task that mends, in a cycle or a part of it. */
export function mendingTask({ cycle, part }: { cycle: number; part?: string }): string {
  return part === undefined ? `R${cycle}` : `R${cycle}-${part}`
}

/** What is to be done in this pass: the tasks of the plan, or the one that mends. */
function tasksOf({ facts, input }: Pass, plan: PhasePlan): PlanTask[] {
  const { remediation, only } = input
  if (!remediation) return plan.tasks.filter(({ id }) => only === undefined || only.includes(id))
  const files = remediation.feedback.flatMap(({ target_file: file }) => file ?? [])
  return [
    {
      id: mendingTask(remediation),
      title: mendingTitle(facts.id),
      type: 'auto',
      complexity: 'medium',
      files: [...new Set(files)],
      notes: [],
      line: 0,
      endLine: 0,
      criteria: [],
      tdd: false,
      gate: '',
      action: remediation.feedback.map(({ deficiency }) => deficiency).join('\n'),
      done: '',
      options: [],
      missing: [],
      wave: 1,
    },
  ]
}

/** Tasks of an earlier visit whose commit is in the history still. */
async function standingTasks(pass: Pass, tasks: readonly PlanTask[]): Promise<string[]> {
  const before = pass.input.before?.steps.execute.tasks
  if (before === undefined || Object.keys(before).length === 0) return []
  return pass.run.step(`${pass.at}standing`, async () => {
    const standing: string[] = []
    for (const { id } of tasks) {
      const record = before[id]
      if (record?.status !== 'completed') continue
      if (record.commit === null || (await pass.git.isAncestor(record.commit))) standing.push(id)
    }
    return standing
  })
}

/** True where the work ended since no context was large enough. */
async function work(
  pass: Pass,
  plan: PhasePlan,
  tasks: readonly PlanTask[],
  standing: readonly string[],
): Promise<boolean> {
  for (const id of standing) {
    pass.log.tasks.set(id, 'completed')
    await tell(pass, `${id}-stands`, `Task ${id}: done before, its commit stands`)
  }
  const open = tasks.filter(({ id }) => !standing.includes(id))
  const show = (atWork?: string) => showTasks(pass, plan, tasks, atWork)
  const setting = { pass, plan, baseline: open.length === 0 ? null : await baselineOf(pass) }
  const auto = open.filter(({ type }) => type === 'auto')
  if (auto.length > mostSingle) {
    for (const task of open.filter(({ type }) => type !== 'auto'))
      pass.log.tasks.set(task.id, await humanTask(pass, task))
    return runBatch(setting, auto, show)
  }
  for (const task of open) {
    show(task.id)
    if (task.type !== 'auto') {
      pass.log.tasks.set(task.id, await humanTask(pass, task))
      show()
      continue
    }
    const place = { id: task.id, number: tasks.indexOf(task) + 1, total: tasks.length }
    const end = await runTask(setting, task, place)
    pass.log.tasks.set(task.id, end === 'completed' ? 'completed' : 'failed')
    show()
    if (end === 'exhausted') return true
  }
  return false
}

/** In a cycle of mending the tasks of people are as open as they were. */
function executedOf({ log, input }: Pass, tasks: readonly PlanTask[], plan: PhasePlan): Executed {
  const count = (status: string) => tasks.filter(({ id }) => log.tasks.get(id) === status).length
  return {
    deferred: input.remediation
      ? plan.tasks.filter(({ type }) => type === 'human-verify')
      : tasks.filter(({ id }) => log.tasks.get(id) === 'deferred'),
    completed: count('completed'),
    failed: count('failed'),
    total: tasks.length,
  }
}

function exhaustedEnd(pass: Pass, executed: Executed): { result: Failure; end: StepEnd<'execute'> } {
  const failed: Failure = { ok: false, failure: exhaustedIssue, category: 'context_exhaustion' }
  note(pass, 'execute', failed)
  pass.log.steps.execute.status = 'partial'
  return {
    result: failed,
    end: {
      record: { status: 'partial' },
      mark: 'fail',
      failed: true,
      more: `${executed.completed}/${counted(executed.total, 'task')}`,
    },
  }
}
