import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from '../place.js'

// Where a run over a roadmap keeps what it has. Loaded by every command, so nothing heavy is imported.

export const sessionDir = '.autopilot'
export const archiveDir = '.autopilot/archive'
/** The first that is there is the roadmap of a project. */
export const roadmapPaths = ['.planning/ROADMAP.md', 'ROADMAP.md'] as const
/** What a person names when they mean the roadmap of the project. */
export const planningDir = '.planning'

/** The one place of a project. */
export const playbookPlace: Place = {
  workflow: 'playbook',
  slug: 'playbook',
  sessionDir,
  stateFile: `${sessionDir}/state.json`,
  backupFile: `${sessionDir}/state.json.backup`,
  lockDir: sessionDir,
}

/** The one run of a project: its journal, or a state file that autopilot has not opened yet. */
export async function playbookPlaces(root: string): Promise<Place[]> {
  const found = await Promise.all(
    [`${sessionDir}/journal.jsonl`, playbookPlace.stateFile].map((path) => isThere(root, path)),
  )
  return found.includes(true) ? [playbookPlace] : []
}

/** Repo-relative path of the roadmap; undefined where a project has none. */
export async function roadmapOf(root: string): Promise<string | undefined> {
  for (const path of roadmapPaths) if (await isThere(root, path)) return path
  return undefined
}

function isThere(root: string, path: string): Promise<boolean> {
  return access(join(root, path)).then(
    () => true,
    () => false,
  )
}

/** Whether a repo-relative path is work, and no record of plans or runs. */
export const isWork = (path: string): boolean =>
  !path.startsWith('.planning/') && !path.startsWith('.autopilot/')
