import type { PersonaSpec } from '../../workflow.js'
import type { Expects } from '../results.js'

/** The personas of this workflow, in the order in which they first act; executors may work longest. */
export const personas = {
  'phase-researcher': { writes: true, wallMinutes: 20 },
  'phase-planner': { writes: true, wallMinutes: 20 },
  'plan-checker': { writes: false, wallMinutes: 10 },
  'phase-executor': { writes: true, wallMinutes: 30 },
  'mini-verifier': { writes: false, wallMinutes: 10 },
  'phase-verifier': { writes: false, wallMinutes: 20 },
  'phase-judge': { writes: false, wallMinutes: 20 },
  'phase-rater': { writes: false, wallMinutes: 20 },
  'phase-debugger': { writes: true, wallMinutes: 30 },
} as const satisfies Record<string, PersonaSpec>

export type PlaybookPersona = keyof typeof personas

/** Who is sent for which result. */
export const personaOf: Readonly<Record<Expects, PlaybookPersona>> = {
  research: 'phase-researcher',
  questions: 'phase-researcher',
  plan: 'phase-planner',
  'plan-check': 'plan-checker',
  execution: 'phase-executor',
  'mini-verification': 'mini-verifier',
  verification: 'phase-verifier',
  judgement: 'phase-judge',
  'judgement-divergence': 'phase-judge',
  rating: 'phase-rater',
  debug: 'phase-debugger',
  integration: 'phase-verifier',
  audit: 'phase-verifier',
}
