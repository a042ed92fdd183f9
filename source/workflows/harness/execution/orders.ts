import type { WorkMark } from '../../evidence/claims/work-mark.js'
import type { RetryContext } from '../../retries/retry-context.js'
import type { HandoffMark } from '../artifacts/handoff.js'
import type { ExecutionResult } from '../results.js'
import type { HarnessState } from '../state/state.js'
import type { PlanWork } from './plan-work.js'
import { planTaskId } from './task-ids.js'

/** What one executor dispatch is asked to do. */
export type ExecutorOrder = ({ kind: 'tasks'; startTask?: string } | RetryOrder | AnswerOrder | FixOrder) & {
  /** What was doubted of the dispatch before, line by line. */
  doubts?: readonly string[]
  /** A word of the person for this dispatch. */
  said?: string
}

export interface AnswerOrder {
  kind: 'answer'
  type: 'human-verify' | 'decision' | 'human-action'
  task: string
  answer: string
  note?: string
}

export interface FixOrder {
  kind: 'fix'
  source: 'verification' | 'review' | 'tests'
  findings: unknown[]
}

export interface RetryOrder {
  kind: 'retry'
  task: string
  /** 1-based. */
  attempt: number
  maxAttempts: number
  /** Earlier failures of the task, oldest first; the last one is the one to mend. */
  earlier: { error: string; fix: string; tried?: string }[]
  context: RetryContext
}

/** What a visit begins with: an order to fix, or the tasks, from the one that was fixed by hand in an earlier visit. */
export function firstOrder(state: HarnessState, work: PlanWork): ExecutorOrder {
  if (state.fix) return { kind: 'fix', source: state.fix.source, findings: state.fix.findings }
  const name = state.retryBudget.currentTask?.name
  const id = name === undefined ? undefined : planTaskId(name, work.tasks)
  return id === undefined ? { kind: 'tasks' } : { kind: 'tasks', startTask: id }
}

/**
 * The same order once more, with what was doubted; what is left of the tasks where one of them was being done. `said`
 * is the person's word.
 */
export function orderAgain(order: ExecutorOrder, doubts: readonly string[], said?: string): ExecutorOrder {
  const again: ExecutorOrder = isMend(order) ? order : { kind: 'tasks' }
  const { doubts: _doubts, said: _said, ...plain } = again
  return { ...plain, doubts, ...(said ? { said } : {}) }
}

/** An order that is only carried out where something has changed: findings, red tests, a rejected checkpoint. */
export function isMend(order: ExecutorOrder): order is ExecutorOrder & (FixOrder | AnswerOrder) {
  return order.kind === 'fix' || (order.kind === 'answer' && order.answer === 'reject')
}

/** What was there before a dispatch, to tell what it wrote from what was there. */
export interface BeforeRound {
  at: string
  /** Progress of state.json, as JSON. */
  progress: string
  mark: WorkMark
  handoff: HandoffMark
}

/** One dispatch of the executor within a visit, and what came of it. */
export interface Round {
  /** 1-based; part of the keys of everything in it. */
  number: number
  order: ExecutorOrder
  result: ExecutionResult
  before: BeforeRound
  dispatchId: string
  /** Commands that it ran, where its program tells. */
  commands?: number
  /** The end of what its tests printed, where its program tells. */
  output?: string
  /** What it said beside its result. */
  words?: string
}
