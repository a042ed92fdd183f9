import type { PlanTask } from '../../documents/plan.js'
import type { Run } from '../../run/run.js'
import { findHandoff, writeSkillHandoff } from './artifacts/handoff.js'
import { readProgress, writeProgress } from './artifacts/task-state.js'
import type { PhaseContext } from './phases.js'
import type { ExecutionResult } from './results.js'
import type { HarnessState } from './state/state.js'
import type { HarnessTools } from './tools.js'

/** What state.json held before a dispatch, to tell what the executor wrote from what was there. */
export interface BeforeDispatch {
  at: string
  progress: string
}

interface Work {
  context: PhaseContext
  planPath: string
  tasks: readonly PlanTask[]
  done: Set<string>
}

/**
 * Is the phase finished, as the executor says? Its result, state.json and its handoff have to agree (section 1.3).
 * Records that it did not write are written from the result. Returns what contradicts, empty when nothing does.
 */
export function checkCompletion(
  run: Run<HarnessState>,
  tools: HarnessTools,
  work: Work,
  round: number,
  fixing: boolean,
  result: ExecutionResult,
  before: BeforeDispatch,
): Promise<string[]> {
  return run.step(`completion-${round}`, async () => {
    const problems: string[] = []
    const progress = await readProgress(tools, work.tasks, work.context.number)
    const wrote = JSON.stringify(progress.byTask) !== before.progress
    if (!fixing) {
      for (const task of work.tasks) {
        const claimed = work.done.has(task.id)
        const recorded = progress.byTask[task.id]
        if (!claimed && recorded !== 'complete')
          problems.push(`Task ${task.id} (${task.title}) is not reported complete.`)
        else if (wrote && recorded !== undefined && recorded !== 'complete') {
          problems.push(`Task ${task.id} (${task.title}) is reported complete, state.json says ${recorded}.`)
        }
      }
    }
    for (const blocker of progress.openBlockers) problems.push(`Open blocker in state.json: ${blocker}`)
    const handoff = await findHandoff(tools, 'harness-execution', before.at)
    if (handoff?.fresh && !fixing) {
      for (const pending of handoff.handoff.pending)
        problems.push(`The handoff still lists as pending: ${pending}`)
      for (const blocker of handoff.handoff.blockers) problems.push(`The handoff names a blocker: ${blocker}`)
    }
    if (problems.length > 0) return problems
    if (!fixing)
      await writeProgress(
        tools,
        work.tasks.map((task) => task.id),
      )
    if (!handoff?.fresh) await writeExecutionHandoff(tools, work, result)
    return []
  })
}

function writeExecutionHandoff(tools: HarnessTools, work: Work, result: ExecutionResult): Promise<void> {
  return writeSkillHandoff(tools, {
    timestamp: tools.now().toISOString(),
    fromSkill: 'harness-execution',
    phase: 'COMPLETE',
    summary: `${work.context.label}: executed`,
    completed: result.completed,
    pending: [],
    concerns: [],
    decisions: [],
    blockers: [],
    contextKeywords: [],
    planPath: work.planPath,
  })
}
