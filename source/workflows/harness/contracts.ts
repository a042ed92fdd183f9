import type { Contract } from '../evidence/contract.js'
import type { HarnessPersona } from './personas/personas.js'

const ownWords = ['handoff', 'trace', 'scratchpad'] as const

/** Checks and says what it found; what its commands leave behind is put away. */
const checking: Contract = { may: ['its own record', ...ownWords], noted: ['products of a run'] }

/** What each persona may change, compared after every dispatch of it (docs/evidence.md, "What is compared"). */
export const contracts: Readonly<Record<HarnessPersona, Contract>> = {
  'harness-planner': {
    may: ['its plan', 'a commit of its plan', ...ownWords],
    noted: ['other documents', 'products of a run'],
  },
  'harness-task-executor': {
    may: ['project files', 'commits', 'task state', 'session learnings', 'ticks in its plan', ...ownWords],
    noted: ['new refs'],
  },
  'harness-verifier': checking,
  'harness-code-reviewer': checking,
}
