import type { Place } from '../workflows/place.js'
import type { Registry, Workflow, WorkflowEntry } from '../workflows/workflow.js'

/** One session of one workflow in one project. */
export interface SessionAt<State extends object> {
  /** Absolute path of the project. */
  root: string
  workflow: Workflow<State>
  place: Place
}

export interface FoundPlace {
  entry: WorkflowEntry
  place: Place
}

/** The sessions that a project holds, of every registered workflow, by plain reads. */
export async function findPlaces(root: string, registry: Registry): Promise<FoundPlace[]> {
  const found = await Promise.all(
    registry.map(async (entry) => (await entry.places(root)).map((place) => ({ entry, place }))),
  )
  return found.flat()
}

/** Every directory in which some workflow keeps sessions. */
export function ownPathsOf(registry: Registry): string[] {
  return registry.flatMap((entry) => entry.ownPaths)
}

/** Names of the programs that some workflow starts besides agents and git. The trust question is about all of them. */
export function programsOf(registry: Registry): string[] {
  return [...new Set(registry.flatMap((entry) => entry.programs))]
}
