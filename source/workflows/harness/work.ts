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
  /** As it was when the visit began, with the bases of reviews that a person has named since. */
  state: HarnessState
  phase: PhaseContext
}

export function phaseWork(state: HarnessState, run: Run<HarnessState>, tools: HarnessTools): PhaseWork {
  const based = withBases(state, run.state)
  return { run, tools, state: based, phase: currentPhase(based) }
}

/** A commit that was missing is named while the visit is open, and counts at once. */
export function withBases(state: HarnessState, { startingCommit, phases }: HarnessState): HarnessState {
  return {
    ...state,
    startingCommit,
    phases: state.phases.map((phase, index) => {
      const startCommit = phases[index]?.startCommit
      return startCommit === undefined ? phase : { ...phase, startCommit }
    }),
  }
}
