import type { PersonaSpec } from '../../workflow.js'

/** One persona does the work of every step. */
export const personas = {
  'lifecycle-worker': { writes: true, wallMinutes: 60 },
} as const satisfies Record<string, PersonaSpec>

export type LifecyclePersona = keyof typeof personas
