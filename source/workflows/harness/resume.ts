import { readPlan } from '../../documents/plan.js'
import type { Run } from '../../run/run.js'
import { readBaseline } from '../commits/baseline.js'
import { currentTaskViews } from '../dispatch/progress-watch.js'
import { fileExists, readText, sessionFiles } from './artifacts/files.js'
import { readPhaseReview } from './artifacts/phase-review.js'
import { readProgress } from './artifacts/task-state.js'
import { settleMigration } from './state/settle-migration.js'
import type { HarnessState } from './state/state.js'
import type { HarnessTools } from './tools.js'

/** Says what a resumed session finds: where it stands, flags that no longer count, and drift from its files. */
export async function resume(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<void> {
  await settleMigration(state, run, tools)
  const phase = state.phases[state.currentPhase]
  const summary = await readText(tools, sessionFiles(tools.sessionDir).summary)
  const { fast, thorough, reviewPlans } = tools.flags
  const ignored = fast || thorough || reviewPlans
  run.report([
    `Resuming from state ${state.currentState}, phase ${state.currentPhase + 1}: ${phase?.name ?? 'unknown'}.`,
    ...(ignored
      ? ['Flags are read only when a session begins; this one keeps what it was started with.']
      : []),
    ...(await drift(state, tools)),
    ...(summary ? ['', ...summary.trimEnd().split('\n')] : []),
  ])
  await showTasks(state, run, tools)
}

/** The tasks of the phase as they were left, before anything goes on. */
async function showTasks(state: HarnessState, run: Run<HarnessState>, tools: HarnessTools): Promise<void> {
  const path = state.phases[state.currentPhase]?.planPath
  const plan = path ? await readText(tools, path) : undefined
  if (plan === undefined) return
  const { tasks } = readPlan(plan)
  run.tasks(await currentTaskViews(tools, tasks, state.currentPhase + 1, new Set(), state))
}

/** What the state says and its files do not (section 1.1 step 3). */
async function drift(state: HarnessState, tools: HarnessTools): Promise<string[]> {
  const lines: string[] = []
  for (const sha of new Set([state.startingCommit, state.phases[state.currentPhase]?.startCommit])) {
    if (sha && !(await tools.git.exists(sha)))
      lines.push(`Drift: the recorded commit ${sha.slice(0, 7)} is not in this repository.`)
  }
  const { branch } = await readBaseline(tools, state.currentPhase + 1)
  const now = await tools.git.branch()
  if (branch !== undefined && branch !== now) {
    lines.push(`Drift: the phase began on branch ${branch ?? '(detached)'}, this is ${now ?? '(detached)'}.`)
  }
  for (const [index, phase] of state.phases.entries()) {
    const label = `Phase ${index + 1}: ${phase.name}`
    if (phase.planPath !== null && !(await fileExists(tools, phase.planPath))) {
      lines.push(`Drift: ${label} names the plan ${phase.planPath}, which is not there.`)
    }
    if (phase.status === 'complete' && !(await readPhaseReview(tools, index + 1))) {
      lines.push(`Drift: ${label} is complete, but has no review file.`)
    }
  }
  const current = state.phases[state.currentPhase]
  const plan = current?.planPath ? await readText(tools, current.planPath) : undefined
  if (plan !== undefined) {
    const { strangers } = await readProgress(tools, readPlan(plan).tasks, state.currentPhase + 1)
    if (strangers.length > 0)
      lines.push(`Drift: state.json has tasks that the plan does not: ${strangers.join(', ')}.`)
  }
  return lines
}
