import { isObject } from '../../documents/json.js'
import type { Place } from '../place.js'
import type { Adoption } from '../workflow.js'
import { phaseMarkAt } from './phases.js'
import { currentVersion, migrate } from './state/migrate.js'

/** What taking over a state file of another hand would mean: where it stands, and what reading it changes. */
export function adoption(text: string, place: Place): Adoption {
  const raw: unknown = JSON.parse(text)
  const migration = migrate(raw, { sessionDir: place.sessionDir, head: null })
  const { state, migratedFrom } = migration
  const phase = state.phases[state.currentPhase]
  // A value that was mended in reading it cannot be told from the file afterwards.
  const mended = migratedFrom === undefined && !holds(state, raw)
  const kept = migratedFrom ?? (mended ? currentVersion : undefined)
  return {
    lines: [
      `It is in ${state.currentState}, phase ${phaseMarkAt(state, state.currentPhase)} (${state.currentPhase + 1} of ${state.phases.length}): ${phase?.name ?? ''}`,
      ...(migratedFrom
        ? [`Version ${migratedFrom} becomes ${currentVersion}; the old file is kept as a backup.`]
        : []),
      ...(mended ? ['The file as it is now is kept beside it.'] : []),
      ...migration.changes.map((change) => `Changed: ${change}`),
      ...migration.warnings.map((warning) => `Warning: ${warning}`),
    ],
    ...(kept === undefined ? {} : { backup: `autopilot-state.v${kept}.bak.json` }),
  }
}

/** Whether everything that was in the file is in the state, as it was. */
function holds(state: unknown, raw: unknown): boolean {
  if (Array.isArray(raw))
    return (
      Array.isArray(state) && raw.length === state.length && raw.every((one, at) => holds(state[at], one))
    )
  if (!isObject(raw)) return state === raw
  return isObject(state) && Object.entries(raw).every(([key, value]) => holds(state[key], value))
}
