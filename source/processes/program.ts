import { accessSync, constants, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { findOnPath, runCommand } from './commands.js'

export interface Program {
  /** Absolute. */
  path: string
  /** Empty where the program does not tell it. */
  version: string
}

/** Under load the slowest program took 15 s to print its version; a program that hangs is not waited for. */
const versionMs = 30_000

const versions = new Map<string, Promise<string>>()

/** Finds a program by name on PATH, or by path from the working directory. Nothing is executed. */
export async function locateProgram(file: string): Promise<string | undefined> {
  if (!file.includes('/')) return findOnPath(file)
  const path = resolve(file)
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() && (found.mode & 0o111) !== 0 ? path : undefined
}

/**
 * Finds a program and asks it for its version, once per path and time of change (agents.md section 1).
 * @param args what makes the program print its version
 */
export async function detectProgram(
  file: string,
  args: readonly string[] = ['--version'],
  env?: Record<string, string>,
): Promise<Program | undefined> {
  const path = await locateProgram(file)
  if (path === undefined) return undefined
  const { mtimeMs } = await stat(path)
  const key = JSON.stringify([path, mtimeMs, args])
  const known = versions.get(key) ?? askVersion([path, ...args], env)
  versions.set(key, known)
  const version = await known
  if (version === '') versions.delete(key)
  return { path, version }
}

/** The first version number that is printed; empty where there is none. */
async function askVersion(argv: string[], env: Record<string, string> | undefined): Promise<string> {
  // Not in the project: a program may read files of the directory it is started in.
  const answer = await runCommand(argv, { cwd: homedir(), env, timeoutMs: versionMs, outputCap: 4096 })
  if (answer.code !== 0) return ''
  return /\d+\.\d+[\w.+-]*/.exec(answer.stdout)?.[0] ?? ''
}

/** True if a program of that name may be executed from PATH. Nothing is. */
export function isOnPath(name: string, path = process.env.PATH ?? ''): boolean {
  return path.split(delimiter).some((directory) => isAbsolute(directory) && isProgram(join(directory, name)))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
