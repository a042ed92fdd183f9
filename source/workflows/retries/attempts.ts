// The retry budget of a task: how many attempts it had, and what came of each. Pure.

export interface Attempt {
  /** ISO time at which it began. */
  timestamp: string
  /** What went wrong before it. */
  error: string
  /** Before the first one: what the agent had tried by itself. */
  tried?: string | undefined
  /** What it did, as far as the agent said it. */
  fix: string
  result: 'failed' | 'passed'
}

export interface AttemptBudget<One extends Attempt = Attempt> {
  maxAttempts: number
  /** The task that failed last; null when none is being retried. */
  currentTask: { name: string; attemptsUsed: number; attempts: One[] } | null
}

/** Attempts that a task has used. */
export function attemptsUsed(budget: AttemptBudget, task: string): number {
  return budget.currentTask?.name === task ? budget.currentTask.attemptsUsed : 0
}

/** One more attempt of the task is used; it counts as failed until it has passed. */
export function beginAttempt<Budget extends AttemptBudget>(
  budget: Budget,
  { task, error, tried }: { task: string; error: string; tried?: string | undefined },
  timestamp: string,
): Budget {
  const current = budget.currentTask
  const before = current?.name === task ? current : { name: task, attemptsUsed: 0, attempts: [] }
  const first = before.attempts.length === 0 && tried ? { tried } : {}
  const attempt: Attempt = { timestamp, error, ...first, fix: '', result: 'failed' }
  return {
    ...budget,
    currentTask: {
      ...before,
      attemptsUsed: before.attemptsUsed + 1,
      attempts: [...before.attempts, attempt],
    },
  }
}

/** What the newest attempt did. */
export function describeAttempt<Budget extends AttemptBudget>(budget: Budget, fix: string): Budget {
  const current = budget.currentTask
  if (!current) return budget
  const last = current.attempts.length - 1
  const attempts = current.attempts.map((attempt, index) => (index === last ? { ...attempt, fix } : attempt))
  return { ...budget, currentTask: { ...current, attempts } }
}
