import { debugSubject } from '../orders/commit-subject.js'
import type { Pass } from '../pass.js'
import { orderTask, type PlanTask } from '../plans.js'
import { taskSays } from '../progress.js'
import { send } from '../send.js'
import { withStep } from '../state/phases.js'
import { savePhase } from '../work.js'
import { takeWork } from './commits.js'
import { type MiniVerdict, miniVerify } from './mini-verify.js'

/** What the attempts at mending a task came to. */
export interface Fixed {
  verdict: MiniVerdict
  attempts: number
  files: string[]
  /** Of the debugger, oldest first. */
  commits: string[]
  head: string
  /** The second attempt made the difference larger than the first: it leads away from the goal. */
  growing: boolean
}

const mostAttempts = 2

/** A debugger at what a task failed in, at most twice, each time looked at anew. */
export async function fixTask(
  pass: Pass,
  task: PlanTask,
  from: { verdict: MiniVerdict; before: string; head: string; files: string[] },
): Promise<Fixed> {
  const { verdict, head, files } = from
  const fixed: Fixed = { verdict, head, files, commits: [], attempts: 0, growing: false }
  const sizes: number[] = []
  while (!fixed.verdict.passed && fixed.attempts < mostAttempts) {
    const attempt = fixed.attempts + 1
    const key = `${task.id}-fix-${attempt}`
    await retried(pass, task, key, attempt)
    const subject = debugSubject(pass.facts.id, attempt)
    const sent = await send(
      pass,
      'debug',
      {
        task: orderTask(task),
        issues: fixed.verdict.failures,
        failingChecks: fixed.verdict.failing,
        remainingIssues: attempt === 1 ? [] : fixed.verdict.failures,
        debugAttempt: attempt,
        commitSubject: subject,
      },
      { key: key, title: `Debug task ${task.id}`, attempt },
    )
    fixed.attempts = attempt
    const written = await takeWork(pass, key, fixed.head, subject)
    fixed.head = written.head
    fixed.commits.push(...written.commits.map(({ sha }) => sha))
    fixed.files = [...new Set([...fixed.files, ...written.files])]
    pass.log.fixes.push({
      attempt,
      description: sent.ok ? sent.result.changes.join('; ') : sent.message,
      commit_sha: written.commits.at(-1)?.sha ?? null,
      resolved: [],
      remaining: sent.ok ? sent.result.remaining_issues : fixed.verdict.failures,
    })
    sizes.push(await pass.run.step(`${pass.at}${key}-size`, () => pass.git.changedLines(from.before)))
    fixed.verdict = await miniVerify(pass, key, task, fixed.files)
  }
  const [first, second] = sizes
  fixed.growing = !fixed.verdict.passed && first !== undefined && second !== undefined && second > first
  return fixed
}

async function retried(pass: Pass, task: PlanTask, key: string, attempt: number): Promise<void> {
  await savePhase(
    pass,
    `${key}-retried`,
    (phase) => {
      const { tasks } = phase.steps.execute
      const before = tasks[task.id] ?? { status: 'running', commit: null, retries: 0 }
      return withStep(phase, 'execute', { tasks: { ...tasks, [task.id]: { ...before, retries: attempt } } })
    },
    [{ event: 'task_retried', step: 'execute', details: { task: task.id, attempt } }],
  )
  await taskSays(pass, `${key}-says`, task.id, `debug attempt ${attempt}`)
}
