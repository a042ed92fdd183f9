import { accessSync, constants, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { programDirectories } from './program-path.js'

// Which file a name means. Nothing is executed to find out, and no directory of a project ever counts.

/** The file that would be executed for a bare `name` by a process in `cwd`, or undefined. */
export function onPath(name: string, path = process.env.PATH, cwd?: string): string | undefined {
  if (name === '' || name.includes('/') || name.includes('\0')) return undefined
  return programDirectories(path, cwd)
    .map((directory) => join(directory, name))
    .find(isExecutable)
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
  if (!name.includes('/')) return onPath(name, path, cwd)
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
