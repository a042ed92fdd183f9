import { fileExists } from '../../../project/text-files.js'
import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { exportBaseline, takeBaseline } from '../../commits/baseline.js'
import { sessionFiles } from '../artifacts/files.js'
import { archiveAndResetTaskState } from '../artifacts/task-state.js'
import { currentPhase, effectiveComplexity, withPhase } from '../phases.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'

/** ASSESS: how the current phase is going to be planned (docs/harness.md, "States"). */
export async function assess(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Transition<HarnessState>> {
  const phase = currentPhase(state)
  const { planPath, startedAt, startCommit, status } = phase.record

  const planned = await run.step('plan-exists', async () => planPath !== null && fileExists(tools, planPath))
  if (planPath !== null && !planned) {
    await run.note('vanished', `The plan ${planPath} is gone; the phase is planned again.`, 'warning')
  }
  const begun = status === 'in-progress' && startedAt !== undefined
  if (!begun) {
    run.tasks([])
    const left = state.phases.flatMap((one) => one.left ?? [])
    const baseline = await run.step('baseline', () => takeBaseline(tools, left))
    await run.update('baseline', (latest) => withPhase(latest, phase.index, { baseline }))
    const file = sessionFiles(tools.sessionDir).baseline(phase.number)
    await run.step('baseline-file', () => exportBaseline(tools, file, baseline))
    await run.step('task-state', () => archiveAndResetTaskState(tools, phase.number))
  }
  const start = await run.step('start', async () => ({
    startedAt: startedAt ?? tools.now().toISOString(),
    startCommit: startCommit ?? (await tools.git.head()) ?? undefined,
    timesBefore: phase.record.timesBefore ?? run.times,
  }))

  const record = planned ? phase.record : { ...phase.record, planPath: null, complexityOverride: null }
  const complexity = effectiveComplexity(record)
  const interactive = !planned && complexity === 'high'
  await run.note('approach', `${phase.label}: ${approach(complexity, planned)}`)

  return {
    change: (latest) => ({
      ...withPhase(latest, phase.index, {
        status: 'in-progress',
        ...start,
        planPath: record.planPath,
        complexityOverride: record.complexityOverride,
      }),
      awaitingInteractivePlan: interactive,
      currentState: planned ? 'APPROVE_PLAN' : 'PLAN',
    }),
  }
}

function approach(complexity: 'low' | 'medium' | 'high', planned: boolean): string {
  if (planned) return 'has a plan already'
  switch (complexity) {
    case 'low':
      return 'low complexity, planned by the planner'
    case 'medium':
      return 'medium complexity, planned by the planner, read with extra scrutiny'
    case 'high':
      return 'high complexity, waits for an interactive plan'
  }
}
