import { judgeWorkerEdit } from '../../../documents/lifecycle-merge.js'
import type { StopBy } from '../../../run/machine.js'
import type { Flows } from '../flow/flow.js'
import { resolveStep } from '../flow/flow.js'
import { sessionEnded } from './changes.js'
import { type LifecycleState, mergeStates, nameOfState, recordOf, takesEdit } from './state.js'

/**
 * What a stop by key leaves: Last Session says that the person paused a step that is under way; whoever has only looked
 * changes nothing. What an agent changed in the file until then is taken in as far as it may change it; else the next opening
 * asks (docs/lifecycle.md, "Pauses").
 */
export function stoppedState(
  state: LifecycleState,
  flows: Flows,
  { now, found, byAgent, worked }: StopBy<LifecycleState>,
): LifecycleState | undefined {
  const at = now.toISOString()
  const left = worked ? paused(state, flows, at) : state
  if (found === undefined) return changed(state, left)
  // What moves the position begins the open visit anew, which is for the next opening to do.
  if (!byAgent)
    return takesEdit(state, found, false)?.kind === 'merge' ? mergeStates(state, left, found) : undefined
  const judged = judgeWorkerEdit(state.text, found.text)
  return judged.touched.length > 0 ? undefined : paused({ text: judged.text }, flows, at)
}

const changed = (before: LifecycleState, after: LifecycleState) =>
  before.text === after.text ? undefined : after

function paused(state: LifecycleState, flows: Flows, at: string): LifecycleState {
  const { current } = recordOf(state)
  const flow = flows.flows[current.flow]
  if (!flow || current.status !== 'in_progress' || nameOfState(state, flows) !== 'STEP') return state
  const step = flow.steps[resolveStep(flow, String(current.step), current.name).index]
  return step ? { text: sessionEnded(state.text, step, { at, reason: 'user paused' }) } : state
}
