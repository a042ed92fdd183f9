import { join } from 'node:path'
import type { Difference } from './difference.js'
import type { PrivateRepository } from './private-repository.js'
import type { ProtectedReading } from './protected.js'
import type { Snapshot, SnapshotLists } from './snapshot-types.js'

/** What every kind needs to put something back. */
export interface PuttingBack {
  repo: PrivateRepository
  before: Snapshot
  lists: SnapshotLists
  reading: ProtectedReading | undefined
  keep: string
  /** Remembers where that is which had to make way. */
  kept(difference: Difference, place: string): void
}

/** Directory in which that is kept which a difference replaces. */
export function keepFor(setting: Pick<PuttingBack, 'keep'>, difference: Difference): string {
  return join(setting.keep, difference.id)
}
