import { readPlan } from '../../../documents/plan.js'
import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { readText } from '../artifacts/files.js'
import { countFindings, readPhaseReview } from '../artifacts/phase-review.js'
import { syncRoadmap } from '../artifacts/roadmap.js'
import { clearScratchpad } from '../artifacts/scratchpad.js'
import { writeSessionSummary } from '../artifacts/summary.js'
import { currentPhase, type PhaseContext } from '../phases.js'
import { qNext } from '../questions/phase-complete.js'
import { nextOpenPhase } from '../state/migrate.js'
import { freshRetryBudget, type HarnessState, type HistoryEntry } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { elapsedText, knownHistory, totals } from '../totals.js'

/** PHASE_COMPLETE: record the phase, tell what it came to, go to the next one (section 1). */
export async function phaseComplete(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Transition<HarnessState>> {
  const context = currentPhase(state)
  const entry = await run.step('entry', () => historyEntry(tools, context))
  const recorded = await run.update('history', (latest) => withHistory(latest, context, entry))
  await run.step('scratchpad', () => clearScratchpad(tools, context.number, context.phase.name))

  const lines = summaryLines(context, entry)
  run.report(lines)
  await run.note('summary', lines.map((line) => line.trim()).join(' | '))
  await syncRoadmap(run, tools, 'in-progress')

  const next = nextOpenPhase(recorded)
  await run.step('summary-file', () => writePhaseSummary(recorded, tools, context, entry, next))
  if (next === undefined) {
    return {
      change: (latest) => ({ ...latest, retryBudget: freshRetryBudget, currentState: 'FINAL_REVIEW' }),
    }
  }
  const following = recorded.phases[next]
  const complexity = following?.complexityOverride ?? following?.complexity ?? 'medium'
  await run.ask('next', qNext(context.number, next + 1, following?.name ?? '', complexity, lines))
  return {
    change: (latest) => ({
      ...latest,
      currentPhase: nextOpenPhase(latest) ?? next,
      retryBudget: freshRetryBudget,
      currentState: 'ASSESS',
    }),
  }
}

async function historyEntry(tools: HarnessTools, context: PhaseContext): Promise<HistoryEntry> {
  const { phase } = context
  const now = tools.now().toISOString()
  const skipped = phase.status === 'skipped'
  const plan = phase.planPath === null ? undefined : await readText(tools, phase.planPath)
  const review = skipped ? undefined : await readPhaseReview(tools, context.number)
  return {
    phase: context.index,
    name: phase.name,
    startedAt: phase.startedAt ?? now,
    completedAt: now,
    tasksCompleted: skipped || plan === undefined ? 0 : readPlan(plan).taskCount,
    retriesUsed: phase.retriesUsed ?? 0,
    verificationPassed: phase.verification === 'pass',
    reviewFindings: { ...countFindings(review && 'findings' in review ? review.findings : []) },
    ...(skipped ? { status: 'skipped' as const } : {}),
  }
}

/** A phase has one history entry, whatever happened between writing it and going on (section 5.1). */
function withHistory(state: HarnessState, context: PhaseContext, entry: HistoryEntry): HarnessState {
  const known = knownHistory(state).some((one) => one.phase === context.index)
  return {
    ...state,
    phases: state.phases.map((phase, index) =>
      index === context.index && phase.status !== 'skipped' ? { ...phase, status: 'complete' } : phase,
    ),
    history: known ? state.history : [...state.history, entry],
  }
}

function summaryLines(context: PhaseContext, entry: HistoryEntry): string[] {
  if (entry.status === 'skipped') return [`${context.label} - SKIPPED`]
  const { blocking, warning, note } = entry.reviewFindings
  const elapsed = elapsedText(Date.parse(entry.completedAt) - Date.parse(entry.startedAt))
  return [
    `${context.label} - COMPLETE`,
    `Tasks: ${entry.tasksCompleted} | Retries: ${entry.retriesUsed} | Verification: ${context.phase.verification ?? 'skipped'}`,
    `Review: ${blocking} blocking, ${warning} warning, ${note} note | Time: ${elapsed}`,
  ]
}

async function writePhaseSummary(
  state: HarnessState,
  tools: HarnessTools,
  context: PhaseContext,
  entry: HistoryEntry,
  next: number | undefined,
): Promise<void> {
  const word = entry.status === 'skipped' ? 'skipped' : 'complete'
  const following = next === undefined ? undefined : state.phases[next]
  const all = await knownTaskTotal(state, tools)
  await writeSessionSummary(tools, {
    session: tools.slug,
    lastActive: entry.completedAt,
    skill: 'harness-autopilot',
    phase: `${context.number} of ${context.total}`,
    status: `Phase ${context.number} ${word}. ${totals(state).tasks}/${all} tasks.`,
    spec: tools.specPath,
    plan: context.phase.planPath ?? '',
    keyContext: `${context.phase.name} ${word}, ${entry.retriesUsed} retries.`,
    nextStep: following && next !== undefined ? `Continue to Phase ${next + 1}: ${following.name}` : 'DONE',
  })
}

/** Tasks of all plans that exist so far. */
async function knownTaskTotal(state: HarnessState, tools: HarnessTools): Promise<number> {
  let total = 0
  for (const phase of state.phases) {
    const text =
      phase.planPath === null || phase.status === 'skipped'
        ? undefined
        : await readText(tools, phase.planPath)
    if (text !== undefined) total += readPlan(text).taskCount
  }
  return total
}
