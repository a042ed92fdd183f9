import { createHash } from 'node:crypto'
import { type PlanReading, readPlan } from '../../../documents/plan.js'
import type { Transition } from '../../../run/machine.js'
import type { GateBuild, Run } from '../../../run/run.js'
import { currentTaskViews } from '../../dispatch/progress-watch.js'
import { readText } from '../artifacts/files.js'
import { withDecision } from '../decisions.js'
import { currentPhase, type PhaseContext, withPhase } from '../phases.js'
import { qApprove, qNoTasks } from '../questions/plan.js'
import { evaluateSignals, planSummary, shouldPauseForReview, signalReport } from '../signals.js'
import type { HarnessState, Signals } from '../state/state.js'
import type { HarnessTools } from '../tools.js'

/** What the gate was decided on: kept with the answer. */
interface PlanFacts {
  signals: Signals | null
  planHash: string | null
  report: string[]
}

/** APPROVE_PLAN: no plan reaches EXECUTE without passing here, and every outcome is recorded (section 1.2). */
export async function approvePlan(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Transition<HarnessState>> {
  const context = currentPhase(state)
  const onStop = (latest: HarnessState, facts: PlanFacts) => record(latest, 'stopped', facts)
  const record = (latest: HarnessState, decision: string, facts: PlanFacts) =>
    withDecision(withOverride(latest, context, facts), {
      phase: context.index,
      decision,
      timestamp: tools.now().toISOString(),
      ...(facts.signals ? { signals: facts.signals } : {}),
    })

  await showTasks(state, context, run, tools)
  for (let round = 1; ; round += 1) {
    const { answer, subject } = await run.gate(
      `approve-${round}`,
      () => buildGate(state, context, tools, round > 1),
      onStop,
    )
    run.report(subject.report)
    await showTasks(state, context, run, tools)
    switch (answer.value) {
      case 'vanished':
        await run.note(
          `vanished-${round}`,
          `The plan ${context.phase.planPath} is gone; the phase is planned again.`,
          'warning',
        )
        return { change: (latest) => planAgain(latest, context.index) }
      case 'auto_approved_plan':
      case 'auto_approved_plan_fast':
        await run.note(`auto-${round}`, subject.report.map((line) => line.trim()).join('; '), 'gate')
        return { change: (latest) => execute(record(latest, answer.value, subject), subject) }
      case 'yes':
        return { change: (latest) => execute(record(latest, 'approved_plan', subject), subject) }
      case 'skip':
        return {
          change: (latest) => ({
            ...withPhase(record(latest, 'skipped_phase', subject), context.index, { status: 'skipped' }),
            currentState: 'PHASE_COMPLETE',
          }),
        }
      default:
        await run.update(`revised-${round}`, (latest) => record(latest, 'revised_plan', subject))
        await run.note(
          `revise-${round}`,
          `Edit ${context.phase.planPath} now; the gate reads it again when you answer.`,
        )
    }
  }
}

/** The tasks of the plan that is being decided on, not those of the phase before. */
async function showTasks(
  state: HarnessState,
  context: PhaseContext,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<void> {
  const text = context.phase.planPath === null ? undefined : await readText(tools, context.phase.planPath)
  const { tasks } = readPlan(text ?? '')
  run.tasks(await currentTaskViews(tools, tasks, context.number, new Set(), state))
}

async function buildGate(
  state: HarnessState,
  context: PhaseContext,
  tools: HarnessTools,
  revising: boolean,
): Promise<GateBuild<PlanFacts>> {
  const { phase } = context
  const text = phase.planPath === null ? undefined : await readText(tools, phase.planPath)
  if (phase.planPath === null || text === undefined) {
    return { settled: 'vanished', subject: { signals: null, planHash: null, report: [] } }
  }
  const plan = readPlan(text)
  const signals = evaluateSignals(state, phase, plan)
  const planHash = createHash('sha256').update(text).digest('hex')
  const wanted = revising || state.planRevision === true
  const edit = wanted ? [`Edit ${phase.planPath} now; it is read again when you answer.`, ''] : []
  if (plan.taskCount === 0) {
    const report = [`${context.label}: no task is recognised in ${phase.planPath}`]
    const body = [...edit, ...noTasksBody(phase.planPath, plan)]
    return { subject: { signals, planHash, report }, question: qNoTasks(body, phase.planPath) }
  }
  const settled = wanted ? undefined : settledBy(state, signals)
  const mode = settled === 'auto_approved_plan_fast' ? 'fast' : settled ? 'auto' : 'pause'
  const subject = { signals, planHash, report: signalReport(signals, context.label, mode) }
  if (settled) return { settled, subject }
  const body = [
    ...edit,
    ...subject.report,
    '',
    `Plan: ${phase.planPath}`,
    ...planSummary(plan, phase, signals.complexityOverride),
    ...plan.tasks.map(
      (task) => `  Task ${task.id}: ${task.title}${task.checkpoint ? ` [${task.checkpoint}]` : ''}`,
    ),
  ]
  return { subject, question: qApprove(body, phase.planPath) }
}

/** fast approves unevaluated, the other levels where no signal fires (section 1.2). */
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

function withOverride(state: HarnessState, context: PhaseContext, facts: PlanFacts): HarnessState {
  if (!facts.signals) return state
  return withPhase(state, context.index, { complexityOverride: facts.signals.complexityOverride })
}

function execute(state: HarnessState, facts: PlanFacts): HarnessState {
  const { planRevision: _settled, ...rest } = state
  return { ...rest, approvedPlanHash: facts.planHash, currentState: 'EXECUTE' } as HarnessState
}

/** A vanished plan file clears the path and what was derived from it (section 5.1). */
export function planAgain(state: HarnessState, index: number): HarnessState {
  return {
    ...withPhase(state, index, { planPath: null, complexityOverride: null }),
    currentState: 'ASSESS',
  }
}
