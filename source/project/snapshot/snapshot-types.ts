import type { Mark } from '../../processes/start-process.js'
import type { Difference } from './difference.js'

// What a snapshot is (docs/evidence.md, "Snapshots"). Digests are plain data for the journal; the lists behind them lie in the
// store under the digest as their name.

/** What every function of this room needs to know. */
export interface SnapshotPlace {
  /** Real path of the work tree: the directory that holds `.git`. */
  root: string
  /** Directory of our own, outside of the project or in the session directory. Made when it is missing, mode 0700. */
  store: string
  /** Repo-relative directories of sessions, which are no change of the project. */
  ownPaths?: readonly string[]
  /** Carried by every git process, so that it is found after a crash. */
  mark?: Mark
  /** For one git process, in milliseconds. Default: ten minutes. */
  timeoutMs?: number
  signal?: AbortSignal
}

/** A snapshot as the journal holds it. Two snapshots of the same state have the same id. */
export interface Snapshot {
  version: 1
  id: string
  /** Commit at HEAD, null before the first one. */
  head: string | null
  /** Full name of the branch; null when HEAD is detached. */
  branch: string | null
  /** Tree of everything in the work tree that git does not ignore, in the private repository. */
  tree: string
  /** Digest of `SnapshotLists` in the store. */
  lists: string
  /** Submodules and nested repositories, by path. */
  parts: Record<string, Snapshot>
}

/** Size and times of a file whose content is not kept. */
export interface FileFacts {
  size: number
  /** Nanoseconds, as decimal text. */
  mtimeNs: string
  /** Of the last change of content or of anything else: nobody can set it. Snapshots of older versions have none. */
  ctimeNs?: string
}

export interface SnapshotLists {
  /** Full name to object id: all but those of remotes and of a moment. */
  refs: Record<string, string>
  /** The same of `refs/remotes`. Snapshots of older versions have none. */
  tracking?: Record<string, string>
  /** Branches and tags of repositories on this machine that are remotes, by path. Snapshots of older versions have none. */
  remotes?: Record<string, Record<string, string>>
  /** Times of `FETCH_HEAD`, which each fetch writes anew. */
  fetched?: string
  /** What is in `HEAD`: `ref: refs/heads/main` or an id. */
  headText: string
  /** Object ids of the stash, newest first. */
  stash: string[]
  /** Text of `logs/refs/stash`, by which the stash is put back. */
  stashLog: string
  shallow: string
  /** Branch to the other work tree that has it checked out. */
  otherWorktrees: Record<string, string>
  /** What differs from HEAD in the person's index: path to `mode id` of its entries. */
  staged: Record<string, string>
  /** Paths with these bits in the person's index. */
  assumeUnchanged: string[]
  skipWorktree: string[]
  /** Single ignored files. */
  ignored: Record<string, FileFacts>
  /** Ignored directories; what is in them is free. */
  ignoredDirectories: string[]
  /** Digest of the rules of what is ignored that lie outside of the work tree. */
  excludes: string
  /** Files that are in no tree yet because they were written this very second: path to `mode id`. */
  loose: Record<string, string>
  /** Where `.git` leads, relative to the work tree where it lies in it. */
  gitDir: string
}

export interface PutBackRequest {
  place: SnapshotPlace
  /** What a person wants undone, as `compareSnapshots` and `compareProtected` gave it. */
  differences: readonly Difference[]
  /** The snapshot to go back to. */
  before: Snapshot
  /** Digest of the protected files before, as `readProtected` gave it. */
  protectedBefore?: string
  /** Directory in which everything is kept that has to make way. Made when it is missing. */
  keep: string
}

export interface SnapshotPair {
  before: Snapshot
  after: Snapshot
  /** Paths that were dirty or staged before the run began. */
  beforehand?: readonly string[]
}

export interface ListPair {
  before: SnapshotLists
  after: SnapshotLists
}
