import type { Place } from '../place.js'
import type { Adoption } from '../workflow.js'
import { currentVersion, migrate } from './state/migrate.js'

/** What taking over a state file of another hand would mean: where it stands, and what reading it changes. */
export function adoption(text: string, place: Place): Adoption {
  const migration = migrate(JSON.parse(text), { sessionDir: place.sessionDir, head: null })
  const { state, migratedFrom } = migration
  const phase = state.phases[state.currentPhase]
  // What is mended in reading it cannot be told from the file afterwards.
  const mended = migratedFrom === undefined && migration.changes.length + migration.warnings.length > 0
  const kept = migratedFrom ?? (mended ? currentVersion : undefined)
  return {
    lines: [
      `It is in ${state.currentState}, phase ${state.currentPhase + 1} of ${state.phases.length}: ${phase?.name ?? ''}`,
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
