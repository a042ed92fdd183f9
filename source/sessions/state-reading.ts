import type { StateSummary } from '../view/summary.js'

/** How the state of a session was read for lists. */
export type StateReading =
  | { kind: 'missing' }
  | { kind: 'bad'; reason: string }
  | { kind: 'told'; told: StateSummary; done: boolean }
