import type { Contract } from '../evidence/contract.js'
import type { PlaybookPersona } from './personas/personas.js'

/** Checks and says what it found; what its commands leave behind is put away. */
const checking: Contract = { may: ['trace', 'scratchpad'], noted: ['products of a run'] }

/** Works on the project itself. Records of the run and the tests of its tasks are not its own. */
const building: Contract = {
  may: ['project files', 'commits', 'ticks in its plan', 'handoff', 'trace', 'scratchpad'],
  noted: ['new refs'],
}

/** What each persona may change, compared after every dispatch of it (docs/evidence.md, "What is compared"). */
export const contracts: Readonly<Record<PlaybookPersona, Contract>> = {
  'phase-researcher': {
    may: ['its plan', 'a commit of its plan', 'trace', 'scratchpad'],
    noted: ['other documents', 'products of a run'],
  },
  'phase-planner': {
    may: ['its plan', 'a commit of its plan', 'trace', 'scratchpad'],
    noted: ['other documents', 'products of a run'],
  },
  'plan-checker': checking,
  'phase-executor': building,
  'mini-verifier': checking,
  'phase-verifier': checking,
  'phase-judge': { may: ['its own record', 'trace', 'scratchpad'], noted: ['products of a run'] },
  'phase-rater': checking,
  'phase-debugger': building,
}
