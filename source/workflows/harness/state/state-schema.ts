import { z } from 'zod'
import { Problem } from '../../../problem.js'
import { migrate } from './migrate.js'
import type { MigrationAsk } from './migration-ask.js'
import type { HarnessState } from './state.js'

/**
 * Reads a state file of any version as the state that is used (docs/harness.md, "State migrations"). What only a
 * person can decide is kept in the state until it was asked. A file of a newer version is refused.
 */
export function harnessFileSchema(sessionDir: string): z.ZodType<HarnessState> {
  return z.unknown().transform((raw, context) => {
    try {
      const { state, asks, readOnly, schemaVersion } = migrate(raw, { sessionDir, head: null })
      if (readOnly) throw newerVersion(schemaVersion)
      return withAsks(state, asks)
    } catch (error) {
      if (error instanceof Problem && error.code === 'newer-version') throw error
      context.addIssue(error instanceof Error ? error.message : String(error))
      return z.NEVER
    }
  })
}

function newerVersion(found: number): Problem {
  return new Problem({
    code: 'newer-version',
    what: `The state file has schemaVersion ${found}; this version of autopilot writes 5.`,
    why: 'Writing it in the older form would lose what the newer program put there.',
    todo: 'Update autopilot, or go on with the program that wrote the file. `autopilot inspect` shows it.',
  })
}

/** The missing base commit is seen in the state itself, so only the other asks have to be carried. */
function withAsks(state: HarnessState, asks: readonly MigrationAsk[]): HarnessState {
  const carried = asks.filter((ask) => ask.kind !== 'base-commit')
  return carried.length === 0 || state.migrationAsks ? state : { ...state, migrationAsks: carried }
}
