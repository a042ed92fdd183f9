import type { TaskView } from '../../../view/view.js'
import { lastWords } from '../../dispatch/last-words.js'
import { dispatchPersona } from '../../dispatch/persona.js'
import { watchTasks } from '../../dispatch/task-watch.js'
import type { DispatchBegin } from '../../dispatch/tries.js'
import { workMark } from '../../evidence/claims/work-mark.js'
import { retryContextText } from '../../retries/retry-context.js'
import { sessionFiles } from '../artifacts/files.js'
import { handoffMark } from '../artifacts/handoff.js'
import { type SpecForAgents, specForAgents } from '../artifacts/spec.js'
import { readProgress } from '../artifacts/task-state.js'
import type { ExecutorOrder, Round } from '../execution/orders.js'
import { type PlanWork, phaseTasks } from '../execution/plan-work.js'
import { planTaskId } from '../execution/task-ids.js'
import { currentTaskViews } from '../execution/tasks.js'
import { fixFinding } from '../findings.js'
import { type ExecutorFields, taskExecutorPrompt } from '../personas/task-executor.js'
import { type ExecutionResult, executionResultSchema } from '../results.js'
import type { HarnessState } from '../state/state.js'
import { commonBrief, phaseFields, phaseOf, scratchpadField } from './briefs.js'
import { dispatchSetting } from './setting.js'

/** Sends the executor an order and follows state.json while it works. `number` counts the dispatches of the visit. */
export async function dispatchExecutor(work: PlanWork, number: number, order: ExecutorOrder): Promise<Round> {
  const { run, tools, phase } = work
  const spec = await specForAgents(work)
  const before = await run.step(`before-${number}`, async () => ({
    at: tools.now().toISOString(),
    progress: JSON.stringify((await readProgress(tools, work.tasks, phase.number)).byTask),
    mark: await workMark(tools.git),
    handoff: await handoffMark(tools),
  }))
  const look = () => currentTaskViews(tools, phaseTasks(work), run.state)
  const stopWatching = watchTasks(look, run.tasks)
  let atFull: TaskView[] = []
  try {
    const done = await dispatchPersona<HarnessState, ExecutionResult>(
      dispatchSetting(work),
      `executor-${number}`,
      {
        persona: 'harness-task-executor',
        title: titleOf(work, order),
        attempt: order.kind === 'retry' ? order.attempt + 1 : 1,
        phase: phaseOf(work),
        expects: executionResultSchema,
        access: 'full',
        failedTitle: `${phase.label}: the executor did not succeed`,
        brief: { ...commonBrief(work, spec), ...executorBrief(work, order) },
        prompt: (begin) => promptFor(work, order, spec, begin),
        full: async () => {
          atFull = order.kind === 'fix' ? [] : await look()
        },
        remaining: () => remainingText(atFull),
      },
    )
    const { result, dispatchId, commands, output } = done
    const words = lastWords(done)
    const ran = {
      ...(words === undefined ? {} : { words }),
      ...(commands === undefined ? {} : { commands }),
      ...(output === undefined ? {} : { output }),
    }
    return { number, order, result, before, dispatchId, ...ran }
  } finally {
    stopWatching()
  }
}

/** What is done and what is left, for a conversation that begins in the middle of it. */
function remainingText(tasks: readonly TaskView[]): string {
  const named = (done: boolean) =>
    tasks
      .filter(({ status }) => (status === 'complete') === done)
      .map(({ id, title, status }) => `Task ${id} (${title})${status === 'in_progress' ? ', begun' : ''}`)
      .join(', ')
  return tasks.length === 0 ? '' : `Done: ${named(true) || 'none'}\nLeft: ${named(false) || 'none'}`
}

function titleOf({ phase }: PlanWork, order: ExecutorOrder): string {
  switch (order.kind) {
    case 'tasks':
    case 'answer':
      return `Execute ${phase.label}`
    case 'retry':
      return `Retry ${order.task} (attempt ${order.attempt} of 3)`
    case 'fix':
      return `Fix ${order.source} findings of ${phase.label}`
  }
}

/** Tasks and where to start; an order to fix has neither. */
function taskFields(work: PlanWork, order: ExecutorOrder) {
  if (order.kind === 'fix') return { tasks: [] }
  const tasks = work.tasks.map(({ id, title }) => ({
    id,
    title,
    status: work.done.has(id) ? 'complete' : 'pending',
  }))
  const start = startTask(work, order)
  return { tasks, ...(start === undefined ? {} : { startTask: start }) }
}

function startTask(work: PlanWork, order: Exclude<ExecutorOrder, { kind: 'fix' }>): string | undefined {
  const firstOpen = work.tasks.find((task) => !work.done.has(task.id))?.id
  if (order.kind === 'tasks') return order.startTask ?? firstOpen
  return planTaskId(order.task, work.tasks) ?? firstOpen
}

/** The fields of the dispatch file that only executors get. */
function executorBrief(work: PlanWork, order: ExecutorOrder): Record<string, unknown> {
  const { tools, phase } = work
  return {
    planPath: work.planPath,
    expects: 'execution',
    ...scratchpadField(tools, phase),
    ...taskFields(work, order),
    ...orderBrief(order),
    ...noteField(order),
    ...(phase.record.startCommit ? { diffBase: phase.record.startCommit } : {}),
  }
}

/** What was doubted, and the person's word, for agents that read the dispatch file alone. */
function noteField({ doubts = [], said }: ExecutorOrder): { note?: string } {
  const lines = [...(said ? [said] : []), ...(doubts.length > 0 ? ['What was doubted:', ...doubts] : [])]
  return lines.length > 0 ? { note: lines.join('\n') } : {}
}

function orderBrief(order: ExecutorOrder): Record<string, unknown> {
  switch (order.kind) {
    case 'tasks':
      return {}
    case 'answer': {
      const { type, task, answer, note } = order
      return { checkpointAnswer: { type, task, answer, ...(note ? { note } : {}) } }
    }
    case 'retry': {
      const { task, attempt, earlier, context } = order
      const errors = earlier.map((one) => one.error)
      return { retry: { task, attempt, errors, context: retryContextText(context) } }
    }
    case 'fix':
      return { findings: order.findings }
  }
}

function promptFor(work: PlanWork, order: ExecutorOrder, spec: SpecForAgents, begin: DispatchBegin): string {
  const { tools, phase } = work
  const note = [order.said, begin.note].filter((text) => text !== undefined).join('\n\n')
  return taskExecutorPrompt({
    ...phaseFields(work, spec, { ...begin, ...(note === '' ? {} : { note }) }),
    ...(order.doubts ? { doubts: order.doubts } : {}),
    planPath: work.planPath,
    statePath: sessionFiles(tools.sessionDir).taskState,
    ...taskFields(work, order),
    ...scratchpadField(tools, phase),
    ...orderFields(order),
  })
}

function orderFields(order: ExecutorOrder): Pick<ExecutorFields, 'checkpointAnswer' | 'retry' | 'fixes'> {
  switch (order.kind) {
    case 'tasks':
      return {}
    case 'answer':
      return {
        checkpointAnswer: order,
        // A rejected checkpoint is an order to fix what the note says.
        ...(order.answer === 'reject' && order.note
          ? { fixes: { source: 'checkpoint' as const, findings: [{ title: order.note }] } }
          : {}),
      }
    case 'retry':
      return {
        retry: {
          task: order.task,
          attempt: order.attempt,
          maxAttempts: order.maxAttempts,
          earlier: order.earlier,
          errorOutput: order.earlier.at(-1)?.error ?? '',
          ...order.context,
        },
      }
    case 'fix':
      return { fixes: { source: order.source, findings: order.findings.map(fixFinding) } }
  }
}
