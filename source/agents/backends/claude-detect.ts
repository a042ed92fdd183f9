import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { runCommand } from '../../processes/commands.js'
import { childEnvironment } from '../../processes/environment.js'
import { detectProgram } from '../../processes/program.js'
import type { Detection } from '../agent.js'
import { fieldsOf } from '../fields.js'

/** What stream-json in both directions, structured results and agents by name need. */
export const oldestClaude = '2.1.0'

const authMs = 30_000
const signedIn = new Set<string>()

/**
 * Finds Claude Code and asks for its version and whether it is signed in, once per path and time of change; somebody
 * who is not signed in yet is asked about again, as signing in changes no file of the program.
 */
export async function detectClaude(file: string, env = childEnvironment()): Promise<Detection | undefined> {
  const program = await detectProgram(file, ['--version'], env)
  if (!program) return undefined
  const { mtimeMs } = await stat(program.path)
  const key = JSON.stringify([program.path, mtimeMs])
  if (signedIn.has(key)) return { ...program, auth: 'ok' }
  const auth = await askAuth(program.path, env)
  if (auth === 'ok') signedIn.add(key)
  return { ...program, auth }
}

async function askAuth(path: string, env: Record<string, string>): Promise<Detection['auth']> {
  const cwd = homedir()
  const answer = await runCommand([path, 'auth', 'status'], {
    cwd,
    env,
    timeoutMs: authMs,
    outputCap: 64 * 1024,
  })
  try {
    const { loggedIn } = fieldsOf(JSON.parse(answer.stdout))
    if (loggedIn === true) return 'ok'
    return loggedIn === false ? 'missing' : 'unknown'
  } catch {
    return 'unknown'
  }
}

/** True for a version that is known and too old; one that cannot be read is given a try. */
export function isTooOld(version: string): boolean {
  const have = numbersOf(version)
  const need = numbersOf(oldestClaude)
  if (have.length === 0) return false
  const at = need.findIndex((number, index) => number !== (have[index] ?? 0))
  return at >= 0 && (have[at] ?? 0) < (need[at] ?? 0)
}

function numbersOf(version: string): number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '')
    .split('.')
    .filter((part) => part !== '')
    .map(Number)
}
