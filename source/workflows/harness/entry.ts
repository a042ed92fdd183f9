import type { WorkflowEntry } from '../workflow.js'
import { checkHarnessFlags, harnessFlagTable } from './flags.js'
import { archiveDir, harnessPlaces, sessionsDir } from './places.js'

/** This workflow in the registry: its flags and places, without its code. */
export const harnessEntry: WorkflowEntry = {
  name: 'harness',
  flags: harnessFlagTable,
  ownPaths: [sessionsDir],
  archiveDir,
  programs: ['gh', 'harness'],
  looksFor:
    'Specs: Markdown files below docs/ with a section such as "Implementation Order" that lists phases, one heading each.',
  checkFlags: checkHarnessFlags,
  places: harnessPlaces,
  finder: async () => (await import('./finder.js')).harnessFinder,
  load: async () => (await import('./workflow.js')).harness,
}
