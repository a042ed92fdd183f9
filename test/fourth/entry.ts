import type { WorkflowEntry } from '../../source/workflows/workflow.js'
import { gardenPlaces } from './places.js'

/** A workflow that lives in the tests alone: what it takes to add one, without a line changed in the product. */
export const gardenEntry: WorkflowEntry = {
  name: 'garden',
  flags: { rain: { type: 'boolean', about: 'the beds are wet already' } },
  ownPaths: ['.autopilot'],
  archiveDir: '.autopilot/archive',
  programs: [],
  places: gardenPlaces,
  finder: async () => (await import('./finder.js')).gardenFinder,
  load: async () => (await import('./workflow.js')).garden,
}
