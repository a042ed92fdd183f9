import type { RetryContext } from '../../retries/retry-context.js'
import type { ExecutionResult } from '../results.js'
import type { HarnessState } from '../state/state.js'
import type { PlanWork } from './plan-work.js'
import { planTaskId } from './task-ids.js'

/** What one executor dispatch is asked to do. */
export type ExecutorOrder =
  | { kind: 'tasks'; startTask?: string }
  | RetryOrder
  | {
      kind: 'answer'
      type: 'human-verify' | 'decision' | 'human-action'
      task: string
      answer: string
      note?: string
    }
  | { kind: 'fix'; source: 'verification' | 'review'; findings: unknown[] }

export interface RetryOrder {
  kind: 'retry'
  task: string
  /** 1-based. */
  attempt: number
  maxAttempts: number
  /** Earlier failures of the task, oldest first; the last one is the one to mend. */
  earlier: { error: string; fix: string }[]
  context: RetryContext
}

/** What a visit begins with: an order to fix, or the tasks, from the one that was fixed by hand in an earlier visit. */
export function firstOrder(state: HarnessState, work: PlanWork): ExecutorOrder {
  if (state.fix) return { kind: 'fix', source: state.fix.source, findings: state.fix.findings }
  const name = state.retryBudget.currentTask?.name
  const id = name === undefined ? undefined : planTaskId(name, work.tasks)
  return id === undefined ? { kind: 'tasks' } : { kind: 'tasks', startTask: id }
}

/** The same order once more; what is left of the tasks where one of them was being done. */
export function orderAgain(order: ExecutorOrder): ExecutorOrder {
  return order.kind === 'fix' ? order : { kind: 'tasks' }
}

/** One dispatch of the executor within a visit, and what came of it. */
export interface Round {
  /** 1-based; part of the keys of everything in it. */
  number: number
  order: ExecutorOrder
  result: ExecutionResult
  /** What state.json held before the dispatch, to tell what the executor wrote from what was there. */
  before: { at: string; progress: string }
  dispatchId: string
}
