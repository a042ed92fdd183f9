import { createHash } from 'node:crypto'
import { type PlanReading, readPlan } from '../../../documents/plan.js'
import type { Transition } from '../../../run/machine.js'
import type { GateBuild, Run } from '../../../run/run.js'
import { readText } from '../artifacts/files.js'
import { withDecision } from '../decisions.js'
import { currentPhase, type PhaseContext, withPhase } from '../phase-context.js'
import { qApprove, qNoTasks } from '../questions/plan.js'
import { evaluateSignals, planSummary, shouldPauseForReview, signalReport } from '../signals.js'
import type { HarnessState, Signals } from '../state.js'
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

  for (let round = 1; ; round += 1) {
    const { answer, subject } = await run.gate(
      `approve-${round}`,
      () => buildGate(state, context, tools),
      onStop,
    )
    run.report(subject.report)
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

async function buildGate(
  state: HarnessState,
  context: PhaseContext,
  tools: HarnessTools,
): Promise<GateBuild<PlanFacts>> {
  const { phase } = context
  const text = phase.planPath === null ? undefined : await readText(tools, phase.planPath)
  if (phase.planPath === null || text === undefined) {
    return { settled: 'vanished', subject: { signals: null, planHash: null, report: [] } }
  }
  const plan = readPlan(text)
  const signals = evaluateSignals(state, phase, plan)
  const planHash = createHash('sha256').update(text).digest('hex')
  if (plan.taskCount === 0) {
    const subject = {
      signals,
      planHash,
      report: [`${context.label}: no task is recognised in ${phase.planPath}`],
    }
    return { subject, question: qNoTasks(noTasksBody(phase.planPath, plan), phase.planPath) }
  }
  if (state.rigorLevel === 'fast') {
    return {
      settled: 'auto_approved_plan_fast',
      subject: { signals, planHash, report: signalReport(signals, context.label, 'fast') },
    }
  }
  const pauses = shouldPauseForReview(signals)
  const report = signalReport(signals, context.label, pauses ? 'pause' : 'auto')
  if (!pauses) return { settled: 'auto_approved_plan', subject: { signals, planHash, report } }
  const body = [
    ...report,
    '',
    `Plan: ${phase.planPath}`,
    ...planSummary(plan, phase, signals.complexityOverride),
  ]
  return { subject: { signals, planHash, report }, question: qApprove(body, phase.planPath) }
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
  return { ...state, approvedPlanHash: facts.planHash, currentState: 'EXECUTE' }
}

/** A vanished plan file clears the path and what was derived from it (section 5.1). */
export function planAgain(state: HarnessState, index: number): HarnessState {
  return {
    ...withPhase(state, index, { planPath: null, complexityOverride: null }),
    currentState: 'ASSESS',
  }
}
