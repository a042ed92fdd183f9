import { counted } from '../../../counted.js'
import { readPlan } from '../../../documents/plan.js'
import { shown } from '../../../documents/spec-unread.js'
import type { DirtyPath } from '../../../project/git.js'
import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { timesSince, timesText } from '../../../view/times.js'
import { leftByWork } from '../../commits/baseline.js'
import { freeze, keptText } from '../artifacts/frozen.js'
import { phaseFindings } from '../artifacts/phase-review.js'
import { syncRoadmap } from '../artifacts/roadmap.js'
import { clearScratchpad } from '../artifacts/scratchpad.js'
import { writeSessionSummary } from '../artifacts/summary.js'
import { phaseEvidenceLines } from '../evidence-lines.js'
import { phaseBaseline } from '../execution/commit-phase.js'
import { settlePlanChange } from '../execution/plan-change.js'
import { openTasks, type PlanWork, planOfPhase } from '../execution/plan-work.js'
import { countFindings } from '../findings.js'
import { effectiveComplexity, nextOpenPhase, type PhaseContext, phaseTitle } from '../phases.js'
import { qNext } from '../questions/phase-complete.js'
import { freshRetryBudget, type HarnessState, type HistoryEntry } from '../state/state.js'
import { knownHistory, totals } from '../state/totals.js'
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
  if (await planGrew(work)) {
    const text = `${phase.label}: the plan that was taken over has tasks that nobody has done; they are executed.`
    await run.note('plan-grew', text, 'warning')
    return { change: (latest) => ({ ...latest, currentState: 'EXECUTE' }) }
  }
  const entry = await run.step('entry', () => historyEntry(work))
  const left = await run.step('left', async () =>
    leftByWork(tools, await phaseBaseline(tools, state, phase.index)),
  )
  const recorded = await run.update('history', (latest) =>
    withLeft(withHistory(latest, phase, entry), phase, left),
  )
  await run.step('scratchpad', () => clearScratchpad(tools, phase.number, phase.name))

  const lines = [...summaryLines(phase, entry), ...phaseEvidenceLines(recorded, phase.index)]
  run.report(lines)
  await run.note('summary', lines.map((line) => line.trim()).join(' | '))
  await syncRoadmap(work, 'in-progress')

  const next = nextOpenPhase(recorded)
  await run.step('summary-file', () => writePhaseSummary({ ...work, state: recorded }, entry, next))
  const following = next === undefined ? undefined : recorded.phases[next]
  if (next !== undefined && following !== undefined) {
    const word = entry.status === 'skipped' ? 'skipped' : 'complete'
    const ahead = { title: phaseTitle(following, next), complexity: effectiveComplexity(following) }
    await run.ask('next', qNext({ mark: phase.mark, word }, ahead, lines))
  }
  return { change: toNextPhase }
}

/** By the newest state: a change of the spec that was taken over meanwhile can have brought another phase. */
function toNextPhase(latest: HarnessState): HarnessState {
  const next = nextOpenPhase(latest)
  const rested = { ...latest, retryBudget: freshRetryBudget }
  if (next === undefined) return { ...rested, currentState: 'FINAL_REVIEW' }
  return { ...rested, currentPhase: next, currentState: 'ASSESS' }
}

/** A plan that a person changed since its execution: taken over, what was added is executed, never only counted. */
async function planGrew(work: PhaseWork): Promise<boolean> {
  const { state, phase, tools, run } = work
  const { status, approvedPlan, planPath } = phase.record
  if (status === 'skipped' || approvedPlan === undefined || planPath === null) return false
  const hash = await run.step('plan', async () => {
    const text = await planOfPhase(tools, state, phase.index)
    return text === undefined ? null : freeze(tools, text)
  })
  if (hash === null) return false
  const plan = await keptText(tools, hash, planPath)
  const { tasks } = readPlan(plan)
  const done = new Set(tasks.map((task) => task.id))
  const planWork: PlanWork = { ...work, planPath, plan, tasks, done }
  return (await settlePlanChange(planWork, 'end')) && openTasks(planWork).length > 0
}

async function historyEntry({ run, tools, phase }: PhaseWork): Promise<HistoryEntry> {
  const { record } = phase
  const now = tools.now().toISOString()
  const skipped = record.status === 'skipped'
  const plan = await planOfPhase(tools, run.state, phase.index)
  const findings = skipped ? [] : await phaseFindings(tools, run.state, phase.index)
  return {
    phase: phase.index,
    name: phase.name,
    startedAt: record.startedAt ?? now,
    completedAt: now,
    tasksCompleted: skipped || plan === undefined ? 0 : readPlan(plan).taskCount,
    retriesUsed: record.retriesUsed ?? 0,
    verificationPassed: record.verification === 'pass',
    reviewFindings: { ...countFindings(findings) },
    ...(skipped ? { status: 'skipped' as const } : {}),
    ...(record.timesBefore ? { times: timesSince(record.timesBefore, run.times) } : {}),
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

/** What earlier phases have left is in it, as long as it is there. */
function withLeft(state: HarnessState, phase: PhaseContext, left: readonly DirtyPath[]): HarnessState {
  const phases = state.phases.map(({ left: _before, ...one }, index) =>
    index === phase.index && left.length > 0 ? { ...one, left: [...left] } : one,
  )
  return { ...state, phases: phases as HarnessState['phases'] }
}

function summaryLines(phase: PhaseContext, entry: HistoryEntry): string[] {
  if (entry.status === 'skipped') return [`${phase.label} - SKIPPED`]
  const { blocking, warning, note } = entry.reviewFindings
  const elapsed = entry.times ? ` | Time: ${timesText(entry.times)}` : ''
  return [
    `${phase.label} - COMPLETE`,
    `Tasks: ${entry.tasksCompleted} | Retries: ${entry.retriesUsed} | Verification: ${phase.record.verification ?? 'skipped'}`,
    `Review: ${blocking} blocking, ${warning} warning, ${note} note${elapsed}`,
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
    status: `Phase ${phase.mark} ${word}. ${totals(state).tasks}/${all} tasks.`,
    spec: tools.specPath,
    plan: phase.record.planPath ?? '',
    keyContext: [
      `${shown(phase.name)} ${word}, ${counted(entry.retriesUsed, 'retry', 'retries')}.`,
      ...phaseEvidenceLines(state, phase.index).map((line) => `${line}.`),
    ].join(' '),
    nextStep: following && next !== undefined ? `Continue to ${phaseTitle(following, next)}` : 'DONE',
  })
}

/** Tasks of all plans that exist so far. */
async function knownTaskTotal(state: HarnessState, tools: HarnessTools): Promise<number> {
  let total = 0
  for (const [index, phase] of state.phases.entries()) {
    const text = phase.status === 'skipped' ? undefined : await planOfPhase(tools, state, index)
    if (text !== undefined) total += readPlan(text).taskCount
  }
  return total
}
