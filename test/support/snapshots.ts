import { join } from 'node:path'
import type { SessionTools } from '../../source/workflows/tools.js'
import type { TestProject } from './project.js'

/** Snapshots lie beside the project, as they lie beside the projects of a person. `ownPaths`: where sessions are. */
export function snapshotsOf({ dir, root }: TestProject, ownPaths: string[]): SessionTools['snapshots'] {
  return {
    place: { root: dir, store: join(root, 'snapshots'), ownPaths },
    ownPaths,
    commands: async () => [],
    personal: [],
    trusted: async () => ['.autopilot.json'],
  }
}
