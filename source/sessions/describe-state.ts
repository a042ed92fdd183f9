import { join } from 'node:path'
import { readStateFile } from '../storage/state-store.js'
import type { Place } from '../workflows/place.js'
import type { AnyWorkflow } from '../workflows/workflow.js'
import type { StateReading } from './state-reading.js'

/** What the state file of a session says, read by its workflow. */
export async function describeState(
  root: string,
  workflow: AnyWorkflow,
  place: Place,
): Promise<StateReading> {
  try {
    const read = await readStateFile(join(root, place.stateFile), workflow.codec(place))
    if (read.kind === 'missing') return read
    if (read.kind === 'unreadable') return { kind: 'bad', reason: read.reason }
    const told = await workflow.describe(read.value, { root, place })
    return { kind: 'told', told, done: workflow.isDone(read.value) }
  } catch (error) {
    return { kind: 'bad', reason: error instanceof Error ? error.message : String(error) }
  }
}
