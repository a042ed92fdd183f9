import type { Run } from '../../run/run.js'
import { currentPhase, type PhaseContext } from './phases.js'
import type { HarnessState } from './state/state.js'
import type { HarnessTools } from './tools.js'

/** What everything in a visit works with. */
export interface HarnessWork {
  run: Run<HarnessState>
  tools: HarnessTools
}

/** A visit of a state that works on one phase. */
export interface PhaseWork extends HarnessWork {
  /** As it was when the visit began. */
  state: HarnessState
  phase: PhaseContext
}

export function phaseWork(state: HarnessState, run: Run<HarnessState>, tools: HarnessTools): PhaseWork {
  return { run, tools, state, phase: currentPhase(state) }
}
