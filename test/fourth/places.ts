import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from '../../source/workflows/place.js'

export const subject = 'garden.md'

/** One session in a project; its state file is a document of the project, outside of the session directory. */
export const gardenPlace: Place = {
  workflow: 'garden',
  slug: 'garden',
  sessionDir: '.autopilot/garden',
  stateFile: 'docs/garden-state.md',
  lockDir: '.autopilot/garden',
}

export async function gardenPlaces(root: string): Promise<Place[]> {
  const there = await access(join(root, gardenPlace.sessionDir)).then(
    () => true,
    () => false,
  )
  return there ? [gardenPlace] : []
}
