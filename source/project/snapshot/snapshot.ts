import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileAt } from './path-bytes.js'
import { readPersonIndex } from './person-index.js'
import {
  forgetIndex,
  openPrivateRepository,
  type PrivateRepository,
  shownPath,
  storeOfPart,
} from './private-repository.js'
import { readRefs } from './refs.js'
import type { Snapshot, SnapshotLists, SnapshotPlace } from './snapshot-types.js'
import { digestOf, keepBytes, keepData } from './store.js'
import { readWorkTree } from './work-tree.js'

/** Repositories inside repositories are followed so deep, and so many of them. */
const deepestPart = 3
const mostParts = 64

/**
 * Takes a snapshot of a work tree: refs, what is staged, and everything that git does not ignore (docs/evidence.md,
 * "Snapshots"). Nothing of the project is executed and nothing is written into it. One at a time for each store; the
 * first one reads every file, later ones what changed. Throws Problem ('repository') where there is no repository, and
 * Problem ('git') where git gives no answer.
 */
export async function takeSnapshot(place: SnapshotPlace): Promise<Snapshot> {
  return await inTurn(place.store, async () => await snapshotOf(place, 0))
}

const turns = new Map<string, Promise<unknown>>()

/** One writer at a time in each store, whatever came of the one before. */
export async function inTurn<Result>(store: string, action: () => Promise<Result>): Promise<Result> {
  const before = turns.get(store) ?? Promise.resolve()
  const mine = before.then(action, action)
  const settled = mine.then(
    () => undefined,
    () => undefined,
  )
  turns.set(store, settled)
  try {
    return await mine
  } finally {
    if (turns.get(store) === settled) turns.delete(store)
  }
}

async function snapshotOf(place: SnapshotPlace, depth: number): Promise<Snapshot> {
  if (!lstatSync(place.store, { throwIfNoEntry: false }))
    await mkdir(place.store, { recursive: true, mode: 0o700 })
  const repo = await openPrivateRepository(place)
  const [work, { refs, index }] = await Promise.all([workTreeOf(repo), recordsOf(repo)])
  const parts: Record<string, Snapshot> = {}
  for (const path of depth < deepestPart ? work.nested.sort().slice(0, mostParts) : []) {
    const part = partOf(place, path)
    if (await lstat(join(part.root, '.git')).catch(() => undefined))
      parts[path] = await snapshotOf(part, depth + 1)
  }
  const lists: SnapshotLists = {
    refs: refs.refs,
    tracking: refs.tracking,
    remotes: refs.remotes,
    fetched: refs.fetched,
    headText: refs.headText,
    stash: refs.stash,
    stashLog: refs.stashLog,
    shallow: refs.shallow,
    otherWorktrees: refs.otherWorktrees,
    ...index,
    ignored: work.ignored,
    ignoredDirectories: work.ignoredDirectories,
    excludes: await keepBytes(place.store, Buffer.from(repo.excludes, 'utf8')),
    gitDir: shownPath(place.root, repo.gitDir),
    loose: work.loose,
  }
  const facts = {
    version: 1 as const,
    head: refs.head,
    branch: refs.branch,
    tree: work.tree,
    lists: await keepData(place.store, lists),
    parts,
  }
  return { id: digestOf(JSON.stringify(facts)), ...facts }
}

async function recordsOf(repo: PrivateRepository) {
  const refs = await readRefs(repo)
  return { refs, index: await readPersonIndex(repo, refs.head) }
}

/** What we keep may be damaged, by a power cut say; then all is read anew. */
async function workTreeOf(repo: PrivateRepository) {
  try {
    return await readWorkTree(repo)
  } catch (error) {
    if (repo.place.signal?.aborted) throw error
    await forgetIndex(repo)
    return await readWorkTree(repo)
  }
}

/** Place of a submodule or nested repository. */
export function partOf(place: SnapshotPlace, path: string): SnapshotPlace {
  const key = createHash('sha256').update(path).digest('hex')
  const own = (place.ownPaths ?? []).flatMap((each) =>
    each.startsWith(`${path}/`) ? [each.slice(path.length + 1)] : [],
  )
  const root = String(fileAt(place.root, path))
  return { ...place, root, store: storeOfPart(place.store, key), ownPaths: own }
}
