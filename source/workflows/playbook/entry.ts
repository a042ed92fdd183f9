import { join } from 'node:path'
import type { WorkflowEntry } from '../workflow.js'
import { checkPlaybookFlags, playbookFlagTable } from './flags.js'
import { archiveDir, planningDir, playbookPlaces, sessionDir } from './places.js'
import { isSelectorWord } from './selection/words.js'

/** This workflow in the registry: its flags and places, without its code. */
export const playbookEntry: WorkflowEntry = {
  name: 'playbook',
  flags: playbookFlagTable,
  ownPaths: [sessionDir],
  archiveDir,
  programs: [],
  checkFlags: checkPlaybookFlags,
  refused: async (root, given) =>
    (await import('./refused-flags.js')).keepRefused(root, given, new Date().toISOString()),
  selectors: {
    input: planningDir,
    isSelector: isSelectorWord,
    check: async (root, words, given) =>
      (await import('./selection/answers.js')).checkSelectors(root, words, given),
    answer: async (root, words) => (await import('./selection/answers.js')).answerSelectors(root, words),
  },
  usage: {
    argument: `${planningDir} [phases]`,
    about: 'phases of a roadmap, all, next or 3-7; status tells where they stand (workflow playbook)',
  },
  looksFor: `Roadmaps: ${planningDir}/ROADMAP.md, or ROADMAP.md, with a list of phases.`,
  settingsFiles: async (root) => [join(root, planningDir, 'config.json')],
  beginsRepositories: true,
  places: playbookPlaces,
  finder: async () => (await import('./finder.js')).playbookFinder,
  load: async () => (await import('./workflow.js')).playbook,
}
