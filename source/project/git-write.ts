import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandResult, runCommand } from '../processes/commands.js'
import type { Confinement } from '../processes/confine/confinement.js'
import { type GitCalls, openGitCalls } from './git-calls.js'
import { failureKind, told } from './git-commit-result.js'
import { gitEnvironment } from './git-read.js'

// Git commands that write (docs/durability.md, "Commits").

export interface CommitLimits {
  /** For git with its hooks and signing, in milliseconds. */
  commitMs: number
  /** Pause between SIGTERM and SIGKILL, in milliseconds. */
  graceMs: number
  /** Tries to update the user's index while another git holds it, 200 ms apart. */
  syncTries: number
  /** Looks before every call whether git may be started here, and throws where not. */
  guard?: (() => Promise<void>) | undefined
  /** Where calls are told while they are under way. */
  calls?: GitCalls | undefined
  /** What hooks are kept to, which write these paths too; without it they have the rights of the user. */
  confineHooks?: ((writable: readonly string[]) => Confinement | undefined) | undefined
}

export const commitLimits: CommitLimits = { commitMs: 10 * 60_000, graceMs: 2_000, syncTries: 25 }

const outputCapBytes = 256 * 1024

const writeSettings = [
  'core.fsmonitor=false',
  'core.splitIndex=false',
  // The defaults of git lose commits in a power cut.
  'core.fsync=all',
  'core.fsyncMethod=fsync',
  'gc.auto=0',
  'maintenance.auto=false',
  'i18n.commitEncoding=UTF-8',
]

/** Runs a writing command of git, with the settings that make it last. */
export async function runWrite(
  root: string,
  args: string[],
  limits: CommitLimits,
  { env = {}, input }: { env?: Record<string, string>; input?: string | undefined },
): Promise<CommandResult> {
  const { calls = openGitCalls() } = limits
  const name = args.find((arg) => /^[a-z]/.test(arg) && !arg.includes('=')) ?? ''
  return await calls.during(
    name,
    async ({ mark, marks, signal }) =>
      await runCommand(['git', ...writeSettings.flatMap((setting) => ['-c', setting]), ...args], {
        cwd: root,
        env: gitEnvironment({ ...env, ...marks }),
        timeoutMs: limits.commitMs,
        graceMs: limits.graceMs,
        outputCap: outputCapBytes,
        input,
        // What a hook leaves in the background goes on while the run does, and carries its marker.
        leaveChildren: true,
        guard: limits.guard,
        mark,
        signal,
      }),
  )
}

/**
 * Makes the user's index agree with HEAD for exactly these paths; without it git would show the commit as reverted.
 * Returns what git said when it could not be done.
 */
export async function syncIndex(
  root: string,
  paths: string[],
  limits: CommitLimits,
): Promise<string | undefined> {
  if (paths.length === 0) return undefined
  const args = [
    '--literal-pathspecs',
    'reset',
    '-q',
    '--no-refresh',
    '--pathspec-from-file=-',
    '--pathspec-file-nul',
  ]
  for (let tries = 1; ; tries += 1) {
    const result = await runWrite(root, [...args, 'HEAD'], limits, { input: nulJoined(paths) })
    if (result.code === 0) return undefined
    if (failureKind(result) !== 'index-lock' || tries >= limits.syncTries) return told(result)
    await sleep(200)
  }
}

export function nulJoined(paths: string[]): string {
  return paths.map((path) => `${path}\0`).join('')
}
