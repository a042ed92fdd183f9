import type { Machine } from '../../run/machine.js'
import { type LifecycleState, mergeStates, nameOfState } from './state/state.js'
import { stoppedState } from './state/stopped.js'
import { edited } from './states/edited.js'
import { init } from './states/init.js'
import { blocked, boundary, loop, position } from './states/others.js'
import { step } from './states/step.js'
import { summaryLines } from './summary.js'
import type { LifecycleTools } from './tools.js'
import { lifecycleView } from './view.js'

const revisions = { INIT: 2, EDITED: 1, STEP: 4, BOUNDARY: 2, BLOCKED: 2, LOOP: 2, POSITION: 2 }

/** The life of one project: its states, bound to the tools they work with (docs/lifecycle.md, "States"). */
export function lifecycleMachine(tools: LifecycleTools): Machine<LifecycleState> {
  return {
    workflow: 'lifecycle',
    revisions,
    open: (run) => init(run, tools),
    resume: async (state, run) => run.report(summaryLines(state, tools.flows, tools.place.stateFile)),
    states: {
      EDITED: (state, run) => edited(state, run, tools),
      STEP: (state, run) => step(state, run, tools),
      BOUNDARY: (state, run) => boundary(state, run, tools),
      BLOCKED: (state, run) => blocked(state, run, tools),
      LOOP: (state, run) => loop(state, run, tools),
      POSITION: (state, run) => position(state, run, tools),
    },
    nameOf: (state) => nameOfState(state, tools.flows),
    view: (state) => lifecycleView(state, tools),
    // The open question is in the journal; the file of a person is no place for it.
    withQuestion: (state) => state,
    merge: mergeStates,
    stopped: (state, stop) => stoppedState(state, tools.flows, stop),
    reopens: true,
    interludes: {},
  }
}
