import type { PersonaSpec } from '../../workflow.js'

/** The personas of this workflow, in the order in which they first act; executors may work longest. */
export const personas = {
  'harness-planner': { writes: true, wallMinutes: 10 },
  'harness-task-executor': { writes: true, wallMinutes: 15 },
  'harness-verifier': { writes: false, wallMinutes: 10 },
  'harness-code-reviewer': { writes: false, wallMinutes: 10 },
} as const satisfies Record<string, PersonaSpec>

export type HarnessPersona = keyof typeof personas
