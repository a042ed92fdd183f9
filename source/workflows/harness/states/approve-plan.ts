import { type PlanReading, readPlan } from '../../../documents/plan.js'
import { outlineTasks, planLosses } from '../../../documents/plan-losses.js'
import { readText } from '../../../project/text-files.js'
import type { Transition } from '../../../run/machine.js'
import type { GateBuild, Run } from '../../../run/run.js'
import { sessionFiles } from '../artifacts/files.js'
import { freeze, frozenText } from '../artifacts/frozen.js'
import { showPlanned, showPlannedTasks } from '../execution/plan-work.js'
import { type PhaseContext, planAgain, withPhase } from '../phases.js'
import {
  evaluateSignals,
  planSummary,
  readingReport,
  shouldPauseForReview,
  signalReport,
} from '../planning/signals.js'
import { qApprove, qNoTasks } from '../questions/plan.js'
import { withDecision } from '../state/decisions.js'
import type { HarnessState, Signals } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { type PhaseWork, phaseWork } from '../work.js'

/** What the gate was decided on: kept with the answer. */
interface PlanFacts {
  signals: Signals | null
  planHash: string | null
  report: string[]
  /** Why it was read only in part; whoever approves it has seen this. */
  asks?: string[]
}

/**
 * APPROVE_PLAN: no plan reaches EXECUTE without passing here, and every outcome is recorded (docs/harness.md, "Plan
 * gate").
 */
export async function approvePlan(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Transition<HarnessState>> {
  const work = phaseWork(state, run, tools)
  const { phase } = work
  const { planPath } = phase.record
  const record = (latest: HarnessState, decision: string, facts: PlanFacts) =>
    recorded(latest, phase, facts, { decision, timestamp: tools.now().toISOString() })

  await showPlannedTasks(work, state, 'none')
  const seen: { hash: string | null } = { hash: null }
  for (let round = 1; ; round += 1) {
    const { answer, subject } = await run.gate(
      `approve-${round}`,
      () => buildGate(work, { revising: round > 1, seen }),
      (latest, facts: PlanFacts) => record(latest, 'stopped', facts),
    )
    seen.hash = subject.planHash ?? seen.hash
    run.report(subject.report)
    await showPlannedTasks(work, state, 'none')
    switch (answer.value) {
      case 'vanished':
        await run.note(
          `vanished-${round}`,
          `The plan ${planPath} is gone; the phase is planned again.`,
          'warning',
        )
        return { change: (latest) => planAgain(latest, phase.index) }
      case 'auto_approved_plan':
      case 'auto_approved_plan_fast':
        await run.note(`auto-${round}`, subject.report.map((line) => line.trim()).join('; '), 'gate')
        return { change: (latest) => execute(record(latest, answer.value, subject), phase.index, subject) }
      case 'yes':
        return { change: (latest) => execute(record(latest, 'approved_plan', subject), phase.index, subject) }
      case 'skip':
        return {
          change: (latest) => ({
            ...withPhase(record(latest, 'skipped_phase', subject), phase.index, { status: 'skipped' }),
            currentState: 'PHASE_COMPLETE',
          }),
        }
      default:
        await run.update(`revised-${round}`, (latest) => record(latest, 'revised_plan', subject))
        await run.note(`revise-${round}`, `Edit ${planPath} now; the gate reads it again when you answer.`)
    }
  }
}

/** Reads the plan and decides whether anybody has to be asked, and what they are shown. */
async function buildGate(
  work: PhaseWork,
  { revising, seen }: { revising: boolean; seen: { hash: string | null } },
): Promise<GateBuild<PlanFacts>> {
  const { state, phase, tools } = work
  const { planPath } = phase.record
  const text = planPath === null ? undefined : await readText(tools, planPath)
  if (planPath === null || text === undefined) {
    return { settled: 'vanished', subject: { signals: null, planHash: null, report: [] } }
  }
  const plan = readPlan(text)
  // The tasks on the screen are those of the text that the gate is about.
  await showPlanned(work, state, plan.tasks)
  const signals = evaluateSignals(state, phase.record, plan)
  // What is approved is this text: it is kept before anybody answers, under its own hash.
  const { asks } = plan
  const facts = { signals, planHash: await freeze(tools, text), ...(asks.length > 0 ? { asks } : {}) }
  const wanted = revising || state.planRevision === true
  const edit = wanted ? [`Edit ${planPath} now; it is read again when you answer.`, ''] : []
  if (plan.taskCount === 0) {
    const report = [`${phase.label}: no task is recognised in ${planPath}`, ...readingReport(plan)]
    const body = [...edit, ...noTasksBody(planPath, plan)]
    return { subject: { ...facts, report }, question: qNoTasks(body, planPath) }
  }
  const lost = await lostSince(work, plan, seen.hash)
  // What changes while it is open is held against what was shown.
  seen.hash ??= facts.planHash
  // A plan that was read only in part, or holds less than before, never approves itself, however little is asked otherwise.
  const isDoubtful = asks.length > 0 || lost.length > 0
  const settled = wanted || isDoubtful ? undefined : settledBy(state, signals)
  const mode = settled === 'auto_approved_plan_fast' ? 'fast' : settled ? 'auto' : 'pause'
  const report = [...signalReport(signals, phase.label, mode), ...readingReport(plan)]
  const subject = { ...facts, report }
  if (settled) return { settled, subject }
  const body = [
    ...edit,
    ...lost,
    ...subject.report,
    '',
    `Plan: ${planPath}`,
    ...planSummary(plan, phase.record, signals.complexityOverride),
    ...plan.tasks.map(
      (task) => `  Task ${task.id}: ${task.title}${task.checkpoint ? ` [${task.checkpoint}]` : ''}`,
    ),
  ]
  return {
    subject,
    question: qApprove(body, planPath, sessionFiles(tools.sessionDir).frozen(facts.planHash)),
  }
}

/** What the plan held when it was shown or approved before, as a plan or as an outline, and does not hold any more. */
async function lostSince(
  { phase, tools }: PhaseWork,
  plan: PlanReading,
  shown: string | null,
): Promise<string[]> {
  const { approvedPlan, outline, planPath } = phase.record
  const hash = shown ?? approvedPlan
  const text = hash === undefined ? undefined : await frozenText(tools, hash, planPath ?? '')
  const before = text === undefined ? outlineTasks(outline ?? '') : readPlan(text).tasks
  const lost = planLosses(before, plan.tasks)
  if (lost.length === 0) return []
  const since = text === undefined ? 'the outline that you approved' : 'the plan was shown before'
  return [`Since ${since}:`, ...lost.map((line) => `  ${line}`), '']
}

/** fast approves unevaluated, the other levels where no signal fires. */
function settledBy(
  state: HarnessState,
  signals: Signals,
): 'auto_approved_plan_fast' | 'auto_approved_plan' | undefined {
  if (state.rigorLevel === 'fast') return 'auto_approved_plan_fast'
  return shouldPauseForReview(signals) ? undefined : 'auto_approved_plan'
}

function noTasksBody(planPath: string, plan: PlanReading): string[] {
  return [
    `${planPath} has no heading like "### Task 1: name", so there is nothing that could be executed or counted.`,
    'Give each task such a heading, then choose revise to have the file read again.',
    ...plan.warnings,
  ]
}

/** The state with the outcome of the gate on record, and the complexity that the plan raised. */
function recorded(
  state: HarnessState,
  phase: PhaseContext,
  facts: PlanFacts,
  outcome: { decision: string; timestamp: string },
): HarnessState {
  const { signals, asks } = facts
  const changed = signals
    ? withPhase(state, phase.index, { complexityOverride: signals.complexityOverride })
    : state
  return withDecision(changed, {
    phase: phase.index,
    ...outcome,
    ...(signals ? { signals } : {}),
    ...(asks ? { lines: asks } : {}),
  })
}

function execute(state: HarnessState, index: number, { planHash }: PlanFacts): HarnessState {
  const { planRevision: _settled, ...rest } = state
  const approved = withPhase(rest as HarnessState, index, {
    approvedPlan: planHash ?? undefined,
    refusedPlan: undefined,
    // A task of another plan may be other work under the same number.
    ...(planHash === rest.phases[index]?.approvedPlan ? {} : { taskRetries: undefined }),
  })
  return { ...approved, approvedPlanHash: planHash, currentState: 'EXECUTE' }
}
