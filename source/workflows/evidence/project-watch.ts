import { isAbsolute } from 'node:path'
import type { PersonalPlace } from '../../project/personal-places.js'
import { compareSnapshots } from '../../project/snapshot/compare.js'
import type { Difference } from '../../project/snapshot/difference.js'
import { callGit, openPrivateRepository } from '../../project/snapshot/private-repository.js'
import {
  compareProtected,
  loadProtected,
  type ProtectedOptions,
  readProtected,
  withOldPlaces,
} from '../../project/snapshot/protected.js'
import { takeSnapshot } from '../../project/snapshot/snapshot.js'
import type { Snapshot, SnapshotLists, SnapshotPlace } from '../../project/snapshot/snapshot-types.js'
import { dataOf } from '../../project/snapshot/store.js'
import type { Place } from '../place.js'
import { type CommitsMade, commitsMade } from './commits-of-dispatch.js'
import { withImportedOrders } from './imported-orders.js'
import { withLedAway } from './led-away.js'
import { type OtherForms, otherForms } from './other-forms.js'
import { recordPlaces, withoutLiveSessions } from './records.js'

// A project as it is seen before and after a dispatch (docs/evidence.md, "Snapshots").

/** What a session gives for that. */
export interface Snapshots {
  place: SnapshotPlace
  /** Directories of all workflows' sessions, repo-relative. */
  ownPaths: readonly string[]
  /** Commands of the project that autopilot runs. */
  commands(): Promise<readonly (readonly string[])[]>
  /** Files of what was trusted, and the settings of the project: absolute, or relative to the root. */
  trusted(): Promise<readonly string[]>
  /** Files of the person that agents could write. */
  personal: readonly PersonalPlace[]
}

/** What was seen, as the journal holds it: the lists behind it lie in the store. */
export interface Seen {
  snapshot: Snapshot
  /** Digest of what is protected. */
  protected: string
}

export interface Watch {
  snapshots: Snapshots
  session: Pick<Place, 'sessionDir' | 'stateFile'>
  /** Spec and plans, repo-relative. */
  frozen: readonly string[]
  /** Subjects of commits that only the program makes, beside those that begin with its name. */
  ownSubjects?: readonly RegExp[]
}

/** Plain reads first: nothing is started before it is known what the project would have started. */
export async function look(watch: Watch): Promise<Seen> {
  const reading = await readProtected(await protectedOptions(watch))
  return { snapshot: await takeSnapshot(watch.snapshots.place), protected: reading.digest }
}

async function protectedOptions({ snapshots, session, frozen }: Watch): Promise<ProtectedOptions> {
  const { place, ownPaths } = snapshots
  return {
    place,
    named: frozen,
    commands: await snapshots.commands(),
    trusted: await snapshots.trusted(),
    personal: snapshots.personal,
    records: await recordPlaces(place.root, session, ownPaths),
  }
}

/**
 * A file that was there before and is only now named by a command or a setting has not come: what names it is a difference
 * itself. Where nobody can tell, as in ignored directories, it is shown and never taken away.
 */
async function withoutNewlyNamed(
  place: SnapshotPlace,
  { before, after }: { before: Snapshot; after: Snapshot },
  differences: readonly Difference[],
): Promise<Difference[]> {
  const kept: Difference[] = []
  for (const one of differences) {
    const mayBeOld =
      one.kind === 'protected' &&
      one.change === 'added' &&
      one.traits.some((trait) => trait === 'command' || trait === 'trust' || trait === 'named')
    const inProject = !isAbsolute(one.name) && !one.name.startsWith('.git/') && !one.name.includes('#')
    if (!mayBeOld || !inProject) kept.push(one)
    else if (!(await isInTree(place, before, one.name))) {
      const seen = await isInTree(place, after, one.name)
      kept.push(seen ? one : { ...one, traits: [...one.traits, 'unstored'] })
    }
  }
  return kept
}

async function isInTree(place: SnapshotPlace, { tree }: Snapshot, path: string): Promise<boolean> {
  const repo = await openPrivateRepository(place)
  return (await callGit(repo, ['cat-file', '-e', `${tree}:${path}`])).code === 0
}

export interface Changes {
  after: Snapshot
  differences: Difference[]
  commits: CommitsMade
  forms: OtherForms
}

/** What is different now, with the commits that came. */
export async function changesSince(
  watch: Watch,
  before: Seen,
  beforehand: readonly string[],
): Promise<Changes> {
  const { place, ownPaths } = watch.snapshots
  const was = await loadProtected(place.store, before.protected)
  const now = await withOldPlaces(place, was, await readProtected(await protectedOptions(watch)))
  const changed = await withoutLiveSessions(place.root, compareProtected(was, now), ownPaths)
  const after = await takeSnapshot(place)
  const pair = { before: before.snapshot, after, beforehand }
  const really = await withoutNewlyNamed(place, pair, changed)
  const lists = await dataOf<SnapshotLists>(place.store, before.snapshot.lists)
  const listsAfter = await dataOf<SnapshotLists>(place.store, after.lists)
  const compared = await withLedAway(place, after, await compareSnapshots(place, pair))
  const differences = [...really, ...(await withImportedOrders(place, before.snapshot, compared))]
  const commits = await commitsMade(place, {
    ...pair,
    refs: lists.refs,
    refsAfter: listsAfter.refs,
    otherWorktrees: listsAfter.otherWorktrees,
    ownSubjects: watch.ownSubjects ?? [],
  })
  const { frozen } = watch
  const guarded = { ...pair, differences, committed: commits.paths, frozen, protected: was }
  return { after, differences, commits, forms: await otherForms(place, guarded) }
}
