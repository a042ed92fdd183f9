import { access, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { Problem } from '../problem.js'
import type { Place } from '../workflows/place.js'

// Sessions of workflows that this version does not know: they are listed, and never opened.

/** The directory in which workflows keep their sessions, if they have no place of their own. */
const sharedDir = '.autopilot'

/** Directories with a journal that belong to no place of a registered workflow. */
export async function findStrangers(root: string, known: readonly Place[]): Promise<Place[]> {
  const claimed = new Set(known.map((place) => place.sessionDir))
  const entries = await readdir(join(root, sharedDir), { withFileTypes: true }).catch(() => [])
  const dirs = [
    sharedDir,
    ...entries.filter((entry) => entry.isDirectory()).map((entry) => posix.join(sharedDir, entry.name)),
  ]
  const found = await Promise.all(
    dirs
      .filter((dir) => !claimed.has(dir))
      .map(async (dir) => ((await isThere(join(root, dir, 'journal.jsonl'))) ? [placeOf(dir)] : [])),
  )
  return found.flat()
}

function placeOf(dir: string): Place {
  return {
    workflow: 'unknown',
    slug: posix.basename(dir).replace(/^\./, ''),
    sessionDir: dir,
    // Which file holds its state, only its workflow knows.
    stateFile: posix.join(dir, 'journal.jsonl'),
    lockDir: dir,
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** A session that was written by a workflow which is not the one that would open it, or that nobody here knows. */
export function writtenByAnother(workflow: string): Problem {
  return new Problem({
    code: 'newer-version',
    what: `This session belongs to the workflow "${workflow}", which this version of autopilot does not know.`,
    why: 'Only the workflow that wrote a session can tell what its records mean, so it was left as it is.',
    todo: 'Update autopilot, or go on with the version that wrote it. `autopilot --version` tells which one this is.',
  })
}
