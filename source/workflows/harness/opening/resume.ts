import { readPlan } from '../../../documents/plan.js'
import { fileExists, readText } from '../../../project/text-files.js'
import type { Run } from '../../../run/run.js'
import { sessionFiles } from '../artifacts/files.js'
import { readPhaseReview } from '../artifacts/phase-review.js'
import { readProgress } from '../artifacts/task-state.js'
import { phaseBaseline } from '../execution/commit-phase.js'
import { showPlannedTasks } from '../execution/plan-work.js'
import { settleSpec, specAnswered } from '../interludes/spec-change.js'
import { phaseMarkAt, phaseTitle } from '../phases.js'
import type { HarnessState, Phase } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { settleBases } from './settle-bases.js'
import { settleMigration } from './settle-migration.js'

/** Says what a resumed session finds: where it stands, flags that no longer count, and drift from its files. */
export async function resume(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<void> {
  await settleMigration({ run, tools }, state)
  await settleBases({ run, tools }, state)
  // Whatever is asked first, it is asked beside the tasks that it is about.
  await showPlannedTasks({ run, tools }, state, 'keep')
  if (!isSpecLookedAtLater(state, run)) await settleSpec({ run, tools })
  const phase = state.phases[state.currentPhase]
  const summary = await readText(tools, sessionFiles(tools.sessionDir).summary)
  const { fast, thorough, reviewPlans } = tools.flags
  const ignored = fast || thorough || reviewPlans
  run.report([
    `Resuming from state ${state.currentState}, phase ${phaseMarkAt(state, state.currentPhase)}: ${phase?.name ?? 'unknown'}.`,
    ...(ignored
      ? ['Flags are read only when a session begins; this one keeps what it was started with.']
      : []),
    ...(await drift(state, tools)),
    ...(summary && isAbout(summary, state) ? ['', ...summary.trimEnd().split('\n')] : []),
  ])
  await showPlannedTasks({ run, tools }, state, 'keep')
}

/**
 * What has not begun is looked at before it begins. What an agent has changed, or may have changed before it was killed, is
 * settled first: the spec may be among it, and whose change it was is known there alone. The next state looks at the spec.
 */
function isSpecLookedAtLater(
  { currentState, pendingQuestion }: HarnessState,
  run: Run<HarnessState>,
): boolean {
  if (['ASSESS', 'DONE'].includes(currentState) || pendingQuestion?.id === 'Q-TOUCHED') return true
  // What was answered in this visit already comes back as it was.
  return run.brokenOff().some(mayAsk) && !specAnswered(run)
}

/** Nobody has compared yet what it left, or something in it is to be asked about. */
function mayAsk({ left }: { left?: unknown }): boolean {
  if (typeof left !== 'object' || left === null) return true
  const { asked } = left as { asked?: unknown }
  return !Array.isArray(asked) || asked.length > 0
}

/** The summary is that of the phase that ended last: of another one than is worked on now it would mislead. */
function isAbout(summary: string, { currentPhase }: HarnessState): boolean {
  const number = /^\*\*Phase:\*\* (\d{1,9}) of /m.exec(summary)?.[1]
  return number === undefined || Number(number) === currentPhase + 1
}

/** What the state says and its files do not (docs/harness.md, "Start of a session"). */
async function drift(state: HarnessState, tools: HarnessTools): Promise<string[]> {
  const files = await Promise.all(state.phases.map((phase, index) => fileDrift(tools, phase, index + 1)))
  return [...(await gitDrift(state, tools)), ...files.flat(), ...(await taskDrift(state, tools))]
}

/** Another branch than the phase began on; of one that has not begun there is nothing to say, and git is not asked. */
async function gitDrift(state: HarnessState, tools: HarnessTools): Promise<string[]> {
  const phase = state.phases[state.currentPhase]
  if (phase?.status === 'pending' && phase.baseline === undefined) return []
  const { branch } = await phaseBaseline(tools, state, state.currentPhase)
  const now = await tools.git.branch()
  if (branch === undefined || branch === now) return []
  const moved = `the phase began on branch ${branch ?? '(detached)'}, this is ${now ?? '(detached)'}.`
  return [`Drift: ${moved}`]
}

/** Plan and review files that one phase (1-based) should have. */
async function fileDrift(tools: HarnessTools, phase: Phase, number: number): Promise<string[]> {
  const label = phaseTitle(phase, number - 1)
  const [hasPlan, hasReview] = await Promise.all([
    phase.planPath === null || fileExists(tools, phase.planPath),
    phase.status !== 'complete' || readPhaseReview(tools, number),
  ])
  const [planGone, reviewGone] = [!hasPlan, !hasReview]
  return [
    ...(planGone ? [`Drift: ${label} names the plan ${phase.planPath}, which is not there.`] : []),
    ...(reviewGone ? [`Drift: ${label} is complete, but has no review file.`] : []),
  ]
}

/** Task ids of state.json that the plan does not have. */
async function taskDrift(state: HarnessState, tools: HarnessTools): Promise<string[]> {
  const path = state.phases[state.currentPhase]?.planPath ?? null
  const plan = path === null ? undefined : await readText(tools, path)
  if (plan === undefined) return []
  const { strangers } = await readProgress(tools, readPlan(plan).tasks, state.currentPhase + 1)
  if (strangers.length === 0) return []
  return [`Drift: state.json has tasks that the plan does not: ${strangers.join(', ')}.`]
}
