import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { takeBaseline } from '../../commits/baseline.js'
import { fileExists } from '../artifacts/files.js'
import { archiveAndResetTaskState } from '../artifacts/task-state.js'
import { currentPhase, effectiveComplexity, withPhase } from '../phases.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'

/** ASSESS: how the current phase is going to be planned (section 1). */
export async function assess(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Transition<HarnessState>> {
  const context = currentPhase(state)
  const { index, phase } = context

  const planned = await run.step(
    'plan-exists',
    async () => phase.planPath !== null && (await fileExists(tools, phase.planPath)),
  )
  if (phase.planPath !== null && !planned) {
    await run.note('vanished', `The plan ${phase.planPath} is gone; the phase is planned again.`, 'warning')
  }
  const begun = phase.status === 'in-progress' && phase.startedAt !== undefined
  if (!begun) {
    run.tasks([])
    await run.step('baseline', () => takeBaseline(tools, context.number))
    await run.step('task-state', () => archiveAndResetTaskState(tools, context.number))
  }
  const start = await run.step('start', async () => ({
    startedAt: phase.startedAt ?? tools.now().toISOString(),
    startCommit: phase.startCommit ?? (await tools.git.head()) ?? undefined,
  }))

  const cleared = planned ? phase : { ...phase, planPath: null, complexityOverride: null }
  const complexity = effectiveComplexity(cleared)
  const interactive = !planned && complexity === 'high'
  await run.note('approach', `${context.label}: ${approach(complexity, planned)}`)

  return {
    change: (latest) => ({
      ...withPhase(latest, index, {
        status: 'in-progress',
        ...start,
        planPath: cleared.planPath,
        complexityOverride: cleared.complexityOverride,
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
