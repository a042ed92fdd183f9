import { accessSync, constants, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { programDirectories } from './program-path.js'

// Which file a name means. Nothing is executed to find out, and no directory of a project ever counts.

/** The file that would be executed for a bare `name` by a process in `cwd`, or undefined. */
export function onPath(name: string, path = process.env.PATH, cwd?: string): string | undefined {
  if (name === '' || name.includes('/') || name.includes('\0')) return undefined
  return programDirectories(path, cwd)
    .map((directory) => join(directory, name))
    .find(isExecutable)
}

const pinned = new Map<string, string>()

/**
 * The same file as long as this process lives, for what it starts itself: one that appears before it later was not
 * trusted, and neither was one that is found because the first one is gone (docs/evidence.md, "Order of trust").
 */
export function pinnedOnPath(name: string, path = process.env.PATH, cwd?: string): string | undefined {
  const general = `${name}\0${path}`
  const own = `${general}\0${cwd}`
  const known = pinned.get(own)
  if (known !== undefined) return isExecutable(known) ? known : undefined
  const first = pinned.get(general)
  const isFirst = first !== undefined && programDirectories(path, cwd).includes(dirname(first))
  const found = isFirst ? first : onPath(name, path, cwd)
  if (found === undefined) return undefined
  if (first === undefined) pinned.set(general, found)
  pinned.set(own, found)
  return found
}

/** The same, for callers that wait anyway. */
export async function findOnPath(
  name: string,
  path = process.env.PATH,
  cwd?: string,
): Promise<string | undefined> {
  return onPath(name, path, cwd)
}

/** The program that a command line begins with: a bare name on PATH, one with a slash from `cwd`. */
export function findProgram(name: string | undefined, cwd: string, path?: string): string | undefined {
  if (!name || name.includes('\0')) return undefined
  if (!name.includes('/')) return pinnedOnPath(name, path, cwd)
  const candidate = resolve(cwd, name)
  return isExecutable(candidate) ? candidate : undefined
}

/** Finds a program by name on PATH, or by path from the working directory. */
export async function locateProgram(file: string): Promise<string | undefined> {
  return findProgram(file, process.cwd(), process.env.PATH)
}

/** True if a program of that name may be executed from PATH. */
export function isOnPath(name: string, path = process.env.PATH): boolean {
  return onPath(name, path) !== undefined
}

export function isExecutable(path: string): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
