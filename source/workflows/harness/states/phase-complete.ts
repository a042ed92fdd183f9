import { readPlan } from '../../../documents/plan.js'
import { readText } from '../../../project/text-files.js'
import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { readPhaseReview } from '../artifacts/phase-review.js'
import { syncRoadmap } from '../artifacts/roadmap.js'
import { clearScratchpad } from '../artifacts/scratchpad.js'
import { writeSessionSummary } from '../artifacts/summary.js'
import { countFindings } from '../findings.js'
import { effectiveComplexity, nextOpenPhase, type PhaseContext } from '../phases.js'
import { qNext } from '../questions/phase-complete.js'
import { freshRetryBudget, type HarnessState, type HistoryEntry } from '../state/state.js'
import { elapsedText, knownHistory, totals } from '../state/totals.js'
import type { HarnessTools } from '../tools.js'
import { type PhaseWork, phaseWork } from '../work.js'

/** PHASE_COMPLETE: record the phase, tell what it came to, go to the next one (docs/harness.md, "States"). */
export async function phaseComplete(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Transition<HarnessState>> {
  const work = phaseWork(state, run, tools)
  const { phase } = work
  const entry = await run.step('entry', () => historyEntry(work))
  const recorded = await run.update('history', (latest) => withHistory(latest, phase, entry))
  await run.step('scratchpad', () => clearScratchpad(tools, phase.number, phase.name))

  const lines = summaryLines(phase, entry)
  run.report(lines)
  await run.note('summary', lines.map((line) => line.trim()).join(' | '))
  await syncRoadmap(work, 'in-progress')

  const next = nextOpenPhase(recorded)
  await run.step('summary-file', () => writePhaseSummary({ ...work, state: recorded }, entry, next))
  const following = next === undefined ? undefined : recorded.phases[next]
  if (next === undefined || following === undefined) {
    return {
      change: (latest) => ({ ...latest, retryBudget: freshRetryBudget, currentState: 'FINAL_REVIEW' }),
    }
  }
  const ahead = { number: next + 1, name: following.name, complexity: effectiveComplexity(following) }
  await run.ask('next', qNext(phase.number, ahead, lines))
  return {
    change: (latest) => ({
      ...latest,
      currentPhase: nextOpenPhase(latest) ?? next,
      retryBudget: freshRetryBudget,
      currentState: 'ASSESS',
    }),
  }
}

async function historyEntry({ tools, phase }: PhaseWork): Promise<HistoryEntry> {
  const { record } = phase
  const now = tools.now().toISOString()
  const skipped = record.status === 'skipped'
  const plan = record.planPath === null ? undefined : await readText(tools, record.planPath)
  const review = skipped ? undefined : await readPhaseReview(tools, phase.number)
  return {
    phase: phase.index,
    name: phase.name,
    startedAt: record.startedAt ?? now,
    completedAt: now,
    tasksCompleted: skipped || plan === undefined ? 0 : readPlan(plan).taskCount,
    retriesUsed: record.retriesUsed ?? 0,
    verificationPassed: record.verification === 'pass',
    reviewFindings: { ...countFindings(review && 'findings' in review ? review.findings : []) },
    ...(skipped ? { status: 'skipped' as const } : {}),
  }
}

/** A phase has one history entry, whatever happened between writing it and going on. */
function withHistory(state: HarnessState, phase: PhaseContext, entry: HistoryEntry): HarnessState {
  const known = knownHistory(state).some((one) => one.phase === phase.index)
  return {
    ...state,
    phases: state.phases.map((one, index) =>
      index === phase.index && one.status !== 'skipped' ? { ...one, status: 'complete' } : one,
    ),
    history: known ? state.history : [...state.history, entry],
  }
}

function summaryLines(phase: PhaseContext, entry: HistoryEntry): string[] {
  if (entry.status === 'skipped') return [`${phase.label} - SKIPPED`]
  const { blocking, warning, note } = entry.reviewFindings
  const elapsed = elapsedText(Date.parse(entry.completedAt) - Date.parse(entry.startedAt))
  return [
    `${phase.label} - COMPLETE`,
    `Tasks: ${entry.tasksCompleted} | Retries: ${entry.retriesUsed} | Verification: ${phase.record.verification ?? 'skipped'}`,
    `Review: ${blocking} blocking, ${warning} warning, ${note} note | Time: ${elapsed}`,
  ]
}

/** summary.md after a phase; `next` is the 0-based place of the phase that follows. */
async function writePhaseSummary(
  { state, tools, phase }: PhaseWork,
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
    phase: `${phase.number} of ${phase.total}`,
    status: `Phase ${phase.number} ${word}. ${totals(state).tasks}/${all} tasks.`,
    spec: tools.specPath,
    plan: phase.record.planPath ?? '',
    keyContext: `${phase.name} ${word}, ${entry.retriesUsed} retries.`,
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
