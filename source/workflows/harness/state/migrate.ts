import { isObject, type JsonObject } from '../../../documents/json.js'
import { Problem } from '../../../problem.js'
import { normaliseCurrentState } from './current-state.js'
import type { MigrationAsk } from './migration-ask.js'
import {
  type MigrationLog,
  normaliseFinalReview,
  normaliseFlags,
  normalisePendingQuestion,
  normalisePhases,
  normaliseRecords,
  normaliseRetryBudget,
} from './normalise.js'
import { type HarnessState, harnessStateSchema } from './state.js'
import { unknownKeysOf } from './unknown-keys.js'

export type { MigrationAsk } from './migration-ask.js'

// Reads a state file of any version, stepwise 1 to 5, and normalises odd values (docs/harness.md, "State
// migrations").

export interface MigrationContext {
  /** For files that do not say where they are. Repo-relative. */
  sessionDir: string
  /** Commit of HEAD, or null where there is none or nobody looked. */
  head: string | null
}

export interface Migration {
  state: HarnessState
  /** As found; 1 for a file without one. */
  schemaVersion: number
  /** Present when the file was older. */
  migratedFrom?: number
  changes: string[]
  unknownKeys: string[]
  warnings: string[]
  asks: MigrationAsk[]
  /** The file is newer than this program: it may be looked at, never written. */
  readOnly: boolean
}

export const currentVersion = 5

/**
 * Turns what a state file holds into the state as it is used. Pure: `raw` stays as it is.
 * @throws Problem `unreadable` when it is no state file, or has no phases; `newer-version` when a file of a version
 * above 5 cannot even be looked at.
 */
export function migrate(raw: unknown, context: MigrationContext): Migration {
  if (!isObject(raw)) throw unreadable('It is not a JSON object.')
  const state: JsonObject = structuredClone(raw)
  const log: MigrationLog = { changes: [], warnings: [] }
  const asks: MigrationAsk[] = []
  const schemaVersion = versionOf(state, log)
  const readOnly = schemaVersion > currentVersion
  if (!Array.isArray(state.phases) || state.phases.length === 0) {
    throw readOnly ? newer(schemaVersion) : unreadable('It has no phases.')
  }
  if (readOnly) {
    log.warnings.push(
      `The file has version ${schemaVersion}, newer than ${currentVersion}: it is read-only here.`,
    )
  } else climb(state, schemaVersion, context, log)
  normaliseIdentity(state, context, log)
  normaliseFlags(state, log)
  normalisePhases(state, log)
  normaliseRetryBudget(state, log)
  normaliseRecords(state, log)
  normaliseFinalReview(state, log)
  normalisePendingQuestion(state, log)
  normaliseCurrentState(state, log, asks)
  if (state.startingCommit === null && state.currentState !== 'DONE') {
    asks.push({ kind: 'base-commit', suggested: context.head })
  }
  return {
    state: validated(state, schemaVersion),
    schemaVersion,
    ...(schemaVersion < currentVersion ? { migratedFrom: schemaVersion } : {}),
    changes: log.changes,
    unknownKeys: unknownKeysOf(raw),
    warnings: log.warnings,
    asks,
    readOnly,
  }
}

function unreadable(why: string, cause?: unknown): Problem {
  return new Problem({
    code: 'unreadable',
    what: `The state file cannot be used. ${why}`,
    why: 'Without it nobody can tell which phases are done, and autopilot does not guess.',
    todo: 'Restore autopilot-state.json from its backup or from git, or archive the session and start fresh.',
    cause,
  })
}

function newer(version: number): Problem {
  return new Problem({
    code: 'newer-version',
    what: `The state file has version ${version}; this autopilot knows versions 1 to ${currentVersion}.`,
    why: 'Its contents cannot be read here, and writing it would lose what the newer program put there.',
    todo: 'Update autopilot, or go on with the program that wrote the file.',
  })
}

function versionOf(state: JsonObject, log: MigrationLog): number {
  const found = state.schemaVersion
  if (found === undefined) {
    log.changes.push('schemaVersion was absent; the file is read as version 1.')
    return 1
  }
  const version = typeof found === 'string' ? Number(found) : found
  if (typeof version === 'number' && Number.isSafeInteger(version) && version >= 1) {
    if (version !== found) log.warnings.push(`schemaVersion was the text "${found}".`)
    return version
  }
  throw unreadable(`Its schemaVersion is ${JSON.stringify(found)}.`)
}

type Step = {
  to: number
  add: (state: JsonObject, context: MigrationContext) => [key: string, value: unknown][]
}

/** What each version added. Only absent keys are filled: some files hold keys of a later version. */
const steps: Step[] = [
  { to: 2, add: (_, context) => [['sessionDir', context.sessionDir]] },
  {
    to: 3,
    add: () => [
      ['startingCommit', null],
      ['decisions', []],
      ['finalReview', { status: 'pending', findings: [], retryCount: 0 }],
    ],
  },
  { to: 4, add: () => [['reviewPlans', false]] },
  { to: 5, add: () => [['rigorLevel', 'standard']] },
]

function climb(state: JsonObject, from: number, context: MigrationContext, log: MigrationLog): void {
  for (const step of steps.filter(({ to }) => to > from)) {
    const added = step.add(state, context).filter(([key]) => state[key] === undefined)
    for (const [key, value] of added) state[key] = value
    const names = added.map(([key]) => key).join(', ') || 'nothing'
    log.changes.push(`Version ${step.to - 1} to ${step.to}: ${names} added.`)
  }
}

function normaliseIdentity(state: JsonObject, context: MigrationContext, log: MigrationLog): void {
  state.schemaVersion = currentVersion
  if (typeof state.sessionDir !== 'string') {
    log.changes.push(`sessionDir was absent; it is ${context.sessionDir}.`)
    state.sessionDir = context.sessionDir
  }
  if (typeof state.specPath !== 'string') {
    log.warnings.push('specPath is missing; nobody can tell which spec the session is for.')
    state.specPath = ''
  }
  if (typeof state.startingCommit !== 'string' || state.startingCommit === '') {
    const base = context.head === null ? '' : ` Starting at HEAD (${context.head}) leaves earlier phases out.`
    log.warnings.push(`startingCommit is not known, so the final review has no base.${base}`)
    state.startingCommit = null
  }
}

function validated(state: JsonObject, version: number): HarnessState {
  const result = harnessStateSchema.safeParse(state)
  if (result.success) return result.data
  if (version > currentVersion) throw newer(version)
  const issue = result.error.issues[0]
  throw unreadable(`${issue?.path.join('.') ?? 'A value'}: ${issue?.message ?? 'not usable'}.`, result.error)
}
