import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from '../place.js'

// Where sessions of this workflow are (docs/harness.md). Loaded by every command, so nothing heavy is imported here.

export const sessionsDir = '.harness/sessions'
export const archiveDir = '.harness/archive/sessions'
export const stateFileName = 'autopilot-state.json'

/** The place of a session directory. */
export function placeOfSlug(slug: string): Place {
  const sessionDir = `${sessionsDir}/${slug}`
  return {
    workflow: 'harness',
    slug,
    sessionDir,
    stateFile: `${sessionDir}/${stateFileName}`,
    lockDir: sessionDir,
  }
}

/** Every directory in which a session is, or was begun. */
export async function harnessPlaces(root: string): Promise<Place[]> {
  const entries = await readdir(join(root, sessionsDir), { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map((entry) => placeOfSlug(entry.name))
}
