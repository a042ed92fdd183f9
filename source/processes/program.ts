import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { runCommand } from './commands.js'
import { locateProgram } from './find-program.js'

export interface Program {
  /** Absolute. */
  path: string
  /** Empty where the program does not tell it. */
  version: string
}

/** Under load the slowest program took 15 s to print its version; a program that hangs is not waited for. */
const versionMs = 30_000

const versions = new Map<string, Promise<string>>()

/**
 * Finds a program and asks it for its version, once per path and time of change (docs/agents.md, "Backends").
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
  return /\d{1,9}\.\d{1,9}[\w.+-]*/.exec(answer.stdout)?.[0] ?? ''
}
