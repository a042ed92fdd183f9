import { sessionEnded } from '../state/changes.js'
import type { LifecycleState } from '../state/state.js'
import type { StepWork } from '../work.js'

/** A stop at a gate is told in Last Session; the same question is asked on resume. */
export function onPause({ step: one, tools }: StepWork): (state: LifecycleState) => LifecycleState {
  return ({ text }) => ({
    text: sessionEnded(text, one, { at: tools.now().toISOString(), reason: 'user paused' }),
  })
}
