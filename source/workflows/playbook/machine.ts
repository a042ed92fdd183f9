import type { Machine } from '../../run/machine.js'
import type { PlaybookState } from './state/schema.js'
import { completion } from './states/completion.js'
import { failedRun } from './states/failed.js'
import { init } from './states/init.js'
import { nameOfState } from './states/name-of-state.js'
import { phase } from './states/phase.js'
import { discussPhase, mapPhase } from './states/talk.js'
import { verdicts } from './states/verdicts.js'
import type { PlaybookTools } from './tools.js'
import { playbookView } from './view.js'

const revisions = { INIT: 5, MAP: 1, DISCUSS: 1, PHASE: 5, FAILED: 2, VERDICTS: 2, COMPLETION: 2 }

/** One run over a roadmap: its states, bound to the tools they work with (docs/playbook.md). */
export function playbookMachine(tools: PlaybookTools): Machine<PlaybookState> {
  return {
    workflow: 'playbook',
    revisions,
    open: (run) => init(run, tools),
    resume: async () => undefined,
    states: {
      MAP: (state, run) => mapPhase(state, run, tools),
      DISCUSS: (state, run) => discussPhase(state, run, tools),
      PHASE: (state, run) => phase(state, run, tools),
      FAILED: (state, run) => failedRun(state, run, tools),
      VERDICTS: (state, run) => verdicts(state, run, tools),
      COMPLETION: (state, run) => completion(state, run, tools),
    },
    nameOf: nameOfState,
    view: (state) => playbookView(state, tools),
    // The open question is in the journal; the state file has no place for it.
    withQuestion: (state) => state,
    interludes: {},
  }
}
