import { counted } from '../../../counted.js'
import type { PlanReading } from '../../../documents/plan.js'
import type { HarnessState, Phase, Signals } from '../state/state.js'

// The plan gate's arithmetic (docs/harness.md, "Plan gate").

export const taskThreshold = 15
const minutesPerTask = 3

/** Raised complexity of a phase that the spec calls low; the larger rule is evaluated first. */
export function planOverride(phase: Phase, tasks: number, checkpoints: number): 'medium' | 'high' | null {
  if (phase.complexity !== 'low') return phase.complexityOverride
  if (tasks > 20 || checkpoints > 6) return 'high'
  if (tasks > 10 || checkpoints > 3) return 'medium'
  return null
}

/** What the person is told when planning raised the complexity: by what it was raised. */
export function overrideNote(
  override: 'medium' | 'high' | null,
  tasks: number,
  checkpoints: number,
): string | undefined {
  if (override === null) return undefined
  const [mostTasks, mostCheckpoints] = override === 'high' ? [20, 6] : [10, 3]
  const by = [
    ...(tasks > mostTasks ? [counted(tasks, 'task')] : []),
    ...(checkpoints > mostCheckpoints ? [counted(checkpoints, 'checkpoint')] : []),
  ]
  // A raise of an earlier plan stays on record without a reason in this one.
  const what = by.length > 0 ? by.join(' and ') : 'The plan before this one'
  return override === 'high'
    ? `${what}: much larger than a low-complexity phase. Consider splitting it.`
    : `${what}: more than expected for low complexity. Review with extra scrutiny.`
}

export function evaluateSignals(state: HarnessState, phase: Phase, plan: PlanReading): Signals {
  return {
    reviewPlans: state.reviewPlans || state.rigorLevel === 'thorough',
    highComplexity: phase.complexity,
    complexityOverride: planOverride(phase, plan.taskCount, plan.checkpointCount),
    plannerConcerns: phase.concerns ?? [],
    taskCount: plan.taskCount,
    taskThreshold,
  }
}

export function shouldPauseForReview(signals: Signals): boolean {
  return (
    signals.reviewPlans ||
    signals.highComplexity === 'high' ||
    signals.complexityOverride !== null ||
    signals.plannerConcerns.length > 0 ||
    signals.taskCount > signals.taskThreshold
  )
}

const triggered = (fired: boolean) => (fired ? ' (triggered)' : '')

/** The report of the gate, with the exact words. `fast` has only the title. */
export function signalReport(signals: Signals, label: string, mode: 'auto' | 'pause' | 'fast'): string[] {
  const title = mode === 'pause' ? `Pausing for review -- ${label}` : `Auto-approved ${label}`
  if (mode === 'fast') return [title]
  const review = signals.reviewPlans ? 'manual (--review-plans flag set)' : 'auto'
  const concerns = signals.plannerConcerns.length
  return [
    title,
    `  Review mode: ${review}${triggered(signals.reviewPlans)}`,
    complexityLine(signals),
    `  Planner concerns: ${concerns === 0 ? 'none' : counted(concerns, 'concern')}${triggered(concerns > 0)}`,
    `  Tasks: ${signals.taskCount} (threshold: ${signals.taskThreshold})${triggered(signals.taskCount > signals.taskThreshold)}`,
  ]
}

function complexityLine(signals: Signals): string {
  if (signals.complexityOverride !== null) {
    return `  Complexity override: ${signals.highComplexity} -> ${signals.complexityOverride} (triggered)`
  }
  if (signals.highComplexity === 'high') return '  Complexity: high (triggered)'
  return `  Complexity: ${signals.highComplexity} (no override)`
}

/** What is said of the reading itself: what was read only in part opens the gate, the rest is told. */
export function readingReport({ warnings, asks }: Pick<PlanReading, 'warnings' | 'asks'>): string[] {
  const told = warnings.filter((warning) => !asks.includes(warning))
  return [
    ...asks.map((text) => `  Not read as a whole: ${text}${triggered(true)}`),
    ...told.map((text) => `  Warning: ${text}`),
  ]
}

/** The plan in a few lines, below the report. */
export function planSummary(plan: PlanReading, phase: Phase, override: 'medium' | 'high' | null): string[] {
  const effective = override ?? phase.complexity
  const declared =
    plan.declaredTasks !== null && plan.declaredTasks !== plan.taskCount
      ? ` (the plan declares ${plan.declaredTasks}; its headings count)`
      : ''
  const markers =
    plan.rawCheckpointMarkers === plan.checkpointCount
      ? ''
      : ` (${counted(plan.rawCheckpointMarkers, 'marker')} in the text)`
  const note = override && overrideNote(override, plan.taskCount, plan.checkpointCount)
  return [
    `Tasks: ${plan.taskCount}${declared}, checkpoints: ${plan.checkpointCount}${markers}`,
    `Estimated time: ${plan.taskCount * minutesPerTask} min, effective complexity: ${effective}`,
    ...(effective === 'medium' && !note ? ['Medium complexity: read it with extra scrutiny.'] : []),
    ...(note ? [note] : []),
    ...(phase.concerns ?? []).map((concern) => `Concern: ${concern}`),
  ]
}
