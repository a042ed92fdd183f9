import { lstatSync, realpathSync } from 'node:fs'

// What the operating system keeps a process to (docs/evidence.md, "Confinement"): plain data, made by `policy.ts` and
// carried out by the program that `detect.ts` found.

/** What one path is inside. Of two that overlap the longer path counts. */
export type Mount =
  /** The real thing, or another in its place, to be read only. */
  | { kind: 'read'; path: string; source?: string }
  | { kind: 'write'; path: string }
  /** Nothing: an empty directory or file that cannot be written. */
  | { kind: 'hide'; path: string }
  /** An empty directory of its own, gone with the process. */
  | { kind: 'own'; path: string }
  /** Another directory or file in its place, to be written. */
  | { kind: 'bind'; path: string; source: string }

export interface ConfinementTool {
  kind: 'bubblewrap' | 'sandbox-exec'
  /** Absolute. */
  program: string
}

/** Everything that is not mounted otherwise can be read and not written; nothing outside can be signalled. */
export interface Confinement {
  tool: ConfinementTool
  /** Absolute real paths; those of parents come before those of their children. */
  mounts: readonly Mount[]
}

const ranks: Record<Mount['kind'], number> = { own: 0, write: 1, hide: 2, read: 3, bind: 4 }

/**
 * Mounts in the order in which they are made: parents before children; of several for one path the last counts, in the
 * order own, write, hide, read, bind. Paths of things that do not exist are left out, but for those of `own`.
 */
export function orderMounts(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map<string, Mount>()
  for (const mount of [...mounts].sort((a, b) => ranks[a.kind] - ranks[b.kind])) {
    const real = realOf(mount)
    if (real !== undefined) byPath.set(real.path, real)
  }
  return [...byPath.values()].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1))
}

function realOf(mount: Mount): Mount | undefined {
  const path = realPath(mount.path)
  if (mount.kind === 'own') return { ...mount, path: path ?? mount.path }
  if (path === undefined) return undefined
  if (mount.kind !== 'bind' && mount.kind !== 'read') return { ...mount, path }
  if (mount.source === undefined) return { ...mount, path }
  const source = realPath(mount.source)
  return source === undefined ? undefined : { ...mount, path, source }
}

/** Undefined where there is nothing. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

export function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

export function isBelow(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`)
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1
}
