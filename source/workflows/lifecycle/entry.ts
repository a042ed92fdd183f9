import type { WorkflowEntry } from '../workflow.js'
import { archiveDir, flowFilesOf, flowFlag, lifecyclePlaces, readSettings } from './places.js'

/** This workflow in the registry: its flags and places, without its code. */
export const lifecycleEntry: WorkflowEntry = {
  name: 'lifecycle',
  flags: {
    flowFile: {
      type: 'string',
      value: '<file>',
      about: 'the steps to follow, in place of those that come with autopilot',
    },
  },
  ownPaths: ['.autopilot'],
  archiveDir,
  programs: [],
  beginsRepositories: true,
  settingsFiles: async (root, flags) =>
    flowFilesOf(root, flowFlag(root, flags) ?? (await readSettings(root)).flowFile),
  usage: { argument: '_docs', about: 'the steps of a project in writing (workflow lifecycle)' },
  looksFor: 'Projects in writing: a folder _docs/ with the documents of the project.',
  places: lifecyclePlaces,
  finder: async () => (await import('./finder.js')).lifecycleFinder,
  load: async () => (await import('./workflow.js')).lifecycle,
}
