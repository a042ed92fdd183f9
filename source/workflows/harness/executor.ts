import { dispatchLogPath } from '../../agents/dispatch.js'
import type { PlanTask } from '../../documents/plan.js'
import type { Run } from '../../run/run.js'
import { commonBrief, type DispatchBegin, dispatchPersona, phaseFields } from '../dispatch/dispatch.js'
import { watchProgress } from '../dispatch/progress-watch.js'
import { type RetryContext, retryContextText } from '../retries/retry.js'
import { sessionFiles } from './artifacts/files.js'
import { scratchpadDir } from './artifacts/scratchpad.js'
import { readProgress } from './artifacts/task-state.js'
import type { BeforeDispatch } from './completion.js'
import { fixFinding } from './findings.js'
import { type ExecutorFields, taskExecutorPrompt } from './personas/task-executor.js'
import type { PhaseContext } from './phases.js'
import { type ExecutionResult, executionResultSchema } from './results.js'
import type { HarnessState } from './state/state.js'
import { planTaskId } from './task-ids.js'
import type { HarnessTools } from './tools.js'

/** What one executor dispatch is asked to do. */
export type ExecutorOrder =
  | { kind: 'tasks'; startTask?: string }
  | {
      kind: 'retry'
      task: string
      /** 1-based. */
      attempt: number
      maxAttempts: number
      /** Earlier failures of the task, oldest first; the last one is the one to mend. */
      earlier: { error: string; fix: string }[]
      context: RetryContext
    }
  | {
      kind: 'answer'
      type: 'human-verify' | 'decision' | 'human-action'
      task: string
      answer: string
      note?: string
    }
  | { kind: 'fix'; source: 'verification' | 'review'; findings: unknown[] }

interface Work {
  context: PhaseContext
  planPath: string
  tasks: readonly PlanTask[]
  done: Set<string>
}

export async function dispatchExecutor(
  run: Run<HarnessState>,
  tools: HarnessTools,
  work: Work,
  round: number,
  order: ExecutorOrder,
): Promise<{ result: ExecutionResult; before: BeforeDispatch; logPath?: string }> {
  const { context } = work
  const before = await run.step(`before-${round}`, async () => ({
    at: tools.now().toISOString(),
    progress: JSON.stringify((await readProgress(tools, work.tasks, context.number)).byTask),
  }))
  let logPath: string | undefined
  const stopWatching = watchProgress(tools, work.tasks, context.number, work.done, () => run.state, run.tasks)
  try {
    const result = await dispatchPersona<ExecutionResult>(run, tools, `executor-${round}`, {
      persona: 'harness-task-executor',
      title: titleOf(context, order),
      attempt: order.kind === 'retry' ? order.attempt + 1 : 1,
      phase: context.number,
      expects: executionResultSchema,
      access: 'full',
      failedTitle: `${context.label}: the executor did not succeed`,
      brief: { ...(await commonBrief(tools, context)), ...executorBrief(tools, work, order) },
      onReply: (id) => {
        logPath = dispatchLogPath(tools.sessionDir, id)
      },
      prompt: (begin) => promptFor(tools, work, order, begin),
    })
    return { result, before, ...(logPath ? { logPath } : {}) }
  } finally {
    stopWatching()
  }
}

function titleOf(context: PhaseContext, order: ExecutorOrder): string {
  switch (order.kind) {
    case 'tasks':
    case 'answer':
      return `Execute ${context.label}`
    case 'retry':
      return `Retry ${order.task} (attempt ${order.attempt} of 3)`
    case 'fix':
      return `Fix ${order.source} findings of ${context.label}`
  }
}

function taskList(work: Work): { id: string; title: string; status: string }[] {
  return work.tasks.map((task) => ({
    id: task.id,
    title: task.title,
    status: work.done.has(task.id) ? 'complete' : 'pending',
  }))
}

function startTask(work: Work, order: ExecutorOrder): string | undefined {
  const firstOpen = work.tasks.find((task) => !work.done.has(task.id))?.id
  switch (order.kind) {
    case 'tasks':
      return order.startTask ?? firstOpen
    case 'retry':
    case 'answer':
      return planTaskId(order.task, work.tasks) ?? firstOpen
    case 'fix':
      return undefined
  }
}

/** The fields of the dispatch file that only executors get (design.md section 4). */
function executorBrief(tools: HarnessTools, work: Work, order: ExecutorOrder): Record<string, unknown> {
  const { context } = work
  const start = startTask(work, order)
  return {
    planPath: work.planPath,
    expects: 'execution',
    ...(context.rigor === 'fast'
      ? {}
      : { scratchpadDir: scratchpadDir(tools, context.number, context.phase.name) }),
    tasks: order.kind === 'fix' ? [] : taskList(work),
    ...(start === undefined ? {} : { startTask: start }),
    ...(order.kind === 'answer'
      ? {
          checkpointAnswer: {
            type: order.type,
            task: order.task,
            answer: order.answer,
            ...(order.note ? { note: order.note } : {}),
          },
        }
      : {}),
    ...(order.kind === 'retry'
      ? {
          retry: {
            task: order.task,
            attempt: order.attempt,
            errors: order.earlier.map((one) => one.error),
            context: retryContextText(order.context),
          },
        }
      : {}),
    ...(order.kind === 'fix' ? { findings: order.findings } : {}),
    ...(context.phase.startCommit ? { diffBase: context.phase.startCommit } : {}),
  }
}

function promptFor(tools: HarnessTools, work: Work, order: ExecutorOrder, begin: DispatchBegin): string {
  const { context } = work
  const start = startTask(work, order)
  return taskExecutorPrompt({
    ...phaseFields(tools, context, begin),
    planPath: work.planPath,
    statePath: sessionFiles(tools.sessionDir).taskState,
    tasks: order.kind === 'fix' ? [] : taskList(work),
    ...(start === undefined ? {} : { startTask: start }),
    ...(context.rigor === 'fast'
      ? {}
      : { scratchpadDir: scratchpadDir(tools, context.number, context.phase.name) }),
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
        // A rejected checkpoint is an order to fix what the note says (section 1.4).
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
