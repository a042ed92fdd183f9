import { withoutEnd } from '../../documents/edit.js'
import type { Area, Contract } from './contract.js'

/**
 * What the words of a contract stand for in one dispatch. Repo-relative paths; one that ends in `/` is a folder with all
 * that is below it.
 */
export interface Ground {
  /** Places of the areas that have one. */
  places: Partial<Record<Area, readonly string[]>>
  /** Spec and plans, which hold as they were approved. */
  frozen: readonly string[]
  /** Of what is frozen, files that may be added to: no line of them may go, but for those behind where `freeFrom` fits. */
  grows?: readonly { path: string; freeFrom: RegExp }[]
  /** Folders with documents in which a person says what is wanted: another one beside them would say it too, data is told. */
  given?: readonly string[]
  /** What the `Files` fields of the plan name, as they are written there. */
  planned: readonly string[]
  /** What refs of the program begin with, full names: other dispatches that are at work make and move them. */
  ownRefs?: readonly string[]
  /** Repo-relative paths of what only the program, or who checks, writes, beside what is frozen. */
  kept?: readonly RegExp[]
  /** Repo-relative paths at which the dispatch may put files that were not there. */
  mayAdd?: readonly RegExp[]
  /** Subjects of commits that only the program makes. */
  ownSubjects?: readonly RegExp[]
}

/** What a workflow says of its dispatches, for them to be watched (docs/evidence.md, "Snapshots"). */
export interface DispatchGround {
  contract: Contract
  ground: Ground
  /** Commit at which the work began that is checked: its instruction files are those that a checking agent reads. */
  checksSince?: string
  /**
   * Files that it does not see where it is confined, repo-relative: what others say of the work that it judges by itself.
   * With a list, also an empty one, it sees nothing of the session but its own order.
   */
  hides?: readonly string[]
}

/** True for a path in one of the places. */
export function lies(path: string, places: readonly string[] | undefined): boolean {
  return (places ?? []).some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place))
}

/** True for a path that the plan names: a file, a folder, or a pattern in which `*` stands for anything. */
export function isPlanned(path: string, planned: readonly string[]): boolean {
  return planned.some((entry) =>
    [entry.trim(), ...entry.split(/[\s,;]+/)].some((word) => {
      const bare = withoutEnd(word.replace(/^[`"'([]+/, ''), '`"\')].:')
      const place = bare.replace(/^\.\//, '')
      if (place === '') return false
      return path === place || path.startsWith(place.endsWith('/') ? place : `${place}/`)
    }),
  )
}
