import { join } from 'node:path'
import { treeDifferences } from '../../project/snapshot/compare.js'
import { difference } from '../../project/snapshot/difference.js'
import { openPrivateRepository } from '../../project/snapshot/private-repository.js'
import { putBack } from '../../project/snapshot/put-back.js'
import { takeSnapshot } from '../../project/snapshot/snapshot.js'
import type { SnapshotPlace } from '../../project/snapshot/snapshot-types.js'
import { qDirtyBefore } from '../commits/questions.js'
import type { WatchedDispatch } from '../evidence/around-dispatch.js'
import { isPlanned } from '../evidence/ground.js'
import type { Try } from './tries.js'

// Files that the plan names and that hold changes of the person's own: settled before an agent works on them
// (docs/evidence.md, "What an agent has changed").

export interface DirtyBefore extends WatchedDispatch {
  handOver(key: string, paths: readonly string[]): Promise<void>
}

export async function settleDirty<State, Result>(
  { setting, key }: Try<State, Result>,
  { ground, watch, beforehand, handOver }: DirtyBefore,
): Promise<void> {
  const { run, tools } = setting
  const { planned } = ground.ground
  if (planned.length === 0) return
  const found = await run.step(`${key}-dirty-files`, async () =>
    (await beforehand()).filter((path) => isPlanned(path, planned)),
  )
  if (found.length === 0) return
  const { value } = await run.ask(`${key}-dirty`, qDirtyBefore(found))
  if (value === 'may') {
    await handOver(`${key}-handed-over`, found)
    return
  }
  const keep = join(tools.root, tools.place.sessionDir, 'put-aside', key)
  const { place } = watch.snapshots
  const told = await run.effect<{ keep: string }, { refused: string[] }>(`${key}-aside`, {
    prepare: async () => ({ keep }),
    apply: () => putAside(place, found, keep),
    recover: () => putAside(place, found, keep),
  })
  const failed = told.refused.length > 0 ? ` Not put aside: ${told.refused.join('; ')}.` : ''
  await run.note(`${key}-aside`, `Put aside: ${found.join(', ')}. Your changes are in ${keep}.${failed}`)
}

/** The files as the last commit has them; what was there is kept. What is there already as committed is left alone. */
async function putAside(
  place: SnapshotPlace,
  paths: readonly string[],
  keep: string,
): Promise<{ refused: string[] }> {
  const snapshot = await takeSnapshot(place)
  if (snapshot.head === null) return { refused: [...paths] }
  const repo = await openPrivateRepository(place)
  const changed = await treeDifferences(repo, snapshot.head, snapshot.tree)
  const differences = paths.flatMap((name) => {
    const states = changed.get(name)
    if (states === undefined) return []
    const change = states.before === undefined ? ('added' as const) : ('changed' as const)
    return [difference({ kind: 'file', name, change, traits: [] }, states.before, states.after)]
  })
  const result = await putBack({ place, differences, before: snapshot, keep })
  return { refused: result.refused.map((one) => `${one.difference.name} (${one.reason})`) }
}
