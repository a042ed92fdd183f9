import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from '../place.js'

// Where a project keeps its life (docs/lifecycle.md, "Files"). Loaded by every command, so nothing heavy is imported.

export const sessionDir = '.autopilot/lifecycle'
export const archiveDir = '.autopilot/archive'
export const usualStateFile = '_docs/_autopilot_state.md'
/** What a session was begun with: `statePath` and `flowFile`, where they are not the usual ones. */
export const settingsFile = `${sessionDir}/settings.json`

export function placeOf(stateFile: string = usualStateFile): Place {
  return { workflow: 'lifecycle', slug: 'lifecycle', sessionDir, stateFile, lockDir: sessionDir }
}

export interface Settings {
  statePath?: string
  flowFile?: string
}

/** What the session of a project was begun with; nothing where there is none, or nobody can read it. */
export async function readSettings(root: string): Promise<Settings> {
  try {
    const value: unknown = JSON.parse(await readFile(join(root, settingsFile), 'utf8'))
    const { statePath, flowFile } = value as Record<string, unknown>
    return {
      ...(typeof statePath === 'string' ? { statePath } : {}),
      ...(typeof flowFile === 'string' ? { flowFile } : {}),
    }
  } catch {
    return {}
  }
}

/** The one session of a project: where its journal is, or a state file that autopilot has not opened yet. */
export async function lifecyclePlaces(root: string): Promise<Place[]> {
  const { statePath } = await readSettings(root)
  const place = placeOf(statePath)
  const found = await Promise.all(
    [sessionDir, place.stateFile].map((path) =>
      access(join(root, path)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return found.includes(true) ? [place] : []
}
