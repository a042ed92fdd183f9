import type { Machine } from '../../run/machine.js'
import { reorder } from './interludes/reorder.js'
import { isSpecDue, settleSpec } from './interludes/spec-change.js'
import { resume } from './opening/resume.js'
import type { HarnessState } from './state/state.js'
import { approvePlan } from './states/approve-plan.js'
import { assess } from './states/assess.js'
import { done } from './states/done.js'
import { execute } from './states/execute.js'
import { finalReview } from './states/final-review.js'
import { init } from './states/init.js'
import { phaseComplete } from './states/phase-complete.js'
import { plan } from './states/plan.js'
import { review } from './states/review.js'
import { verify } from './states/verify.js'
import type { HarnessTools } from './tools.js'
import { harnessView } from './view.js'

/**
 * Rises with a state whose keys change: journals of before are then asked about, not replayed (docs/durability.md,
 * "Replay"). 0 are the keys of 0.1.0, whose visits go on as they are; test/histories holds that.
 */
const revisions = {
  INIT: 2,
  ASSESS: 1,
  PLAN: 1,
  APPROVE_PLAN: 0,
  EXECUTE: 3,
  VERIFY: 2,
  REVIEW: 1,
  PHASE_COMPLETE: 2,
  FINAL_REVIEW: 2,
  DONE: 0,
  reorder: 0,
  spec: 1,
}

/** The harness workflow over one spec: its states, bound to the tools they work with (docs/harness.md, "States"). */
export function harnessMachine(tools: HarnessTools, title: string): Machine<HarnessState> {
  return {
    workflow: 'harness',
    revisions,
    open: (run) => init(run, tools),
    resume: (state, run) => resume(state, run, tools),
    states: {
      ASSESS: (state, run) => assess(state, run, tools),
      PLAN: (state, run) => plan(state, run, tools),
      APPROVE_PLAN: (state, run) => approvePlan(state, run, tools),
      EXECUTE: (state, run) => execute(state, run, tools),
      VERIFY: (state, run) => verify(state, run, tools),
      REVIEW: (state, run) => review(state, run, tools),
      PHASE_COMPLETE: (state, run) => phaseComplete(state, run, tools),
      FINAL_REVIEW: (state, run) => finalReview(state, run, tools),
      DONE: (state, run) => done(state, run, tools),
    },
    nameOf: (state) => state.currentState,
    view: (state) => harnessView(state, tools, title),
    withQuestion: (state, question) => {
      const { pendingQuestion: _before, ...rest } = state
      if (!question) return rest as HarnessState
      return {
        ...rest,
        pendingQuestion: {
          id: question.gate,
          options: question.options.map((option) => option.label),
          askedAt: question.askedAt,
        },
      } as HarnessState
    },
    interludes: {
      reorder: (state, run) => reorder(state, run, tools),
      spec: (_state, run) => settleSpec({ run, tools }),
    },
    due: async (state) => ((await isSpecDue(state, tools)) ? 'spec' : undefined),
  }
}
