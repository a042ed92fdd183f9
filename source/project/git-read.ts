import type { SimpleGit } from 'simple-git'
import { Problem } from '../problem.js'
import { type CommandResult, runCommand } from '../processes/commands.js'

// How git is called (docs/durability.md, "Calls to git").

const minute = 60_000
const readTimeoutMs = 2 * minute
const readCapBytes = 64 * 1024 * 1024

/** Git may never ask, page or open an editor: there is nobody at its terminal. */
const silent = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: ':',
  GIT_PAGER: 'cat',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  GCM_INTERACTIVE: 'never',
  LC_ALL: 'C',
}

const readOnly = { GIT_OPTIONAL_LOCKS: '0' }

/** Settings of every read: nothing of the repository runs, nothing is mixed into the output. */
const readSettings = [
  'core.fsmonitor=false',
  'core.quotePath=false',
  'log.showSignature=false',
  'color.ui=false',
]

// simple-git refuses these when they are handed to it; git does not need them with the variables above.
const askedFor = /^(?:EDITOR|VISUAL|PAGER|PREFIX|SSH_ASKPASS)$/i

/** The user's environment without inherited GIT_*, which would point git to another place, and with `silent`. */
export function gitEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !/^GIT_/i.test(name) && !askedFor.test(name)) env[name] = value
  }
  return { ...env, ...silent, ...extra }
}

/** Git ended with an exit code that the caller can look at. */
export class GitExit extends Error {
  readonly code: number
  readonly output: string

  constructor(code: number, output: string) {
    super(`git ended with ${code}`)
    this.code = code
    this.output = output
  }
}

export interface GitReader {
  readonly root: string
  /** True for a repo-relative path in which autopilot keeps sessions: no change of the project, never committed. */
  isOwn(path: string): boolean
  /** The pathspec that leaves those out, to end the arguments of a command with. */
  readonly withoutOwn: readonly string[]
  /** Standard output of a reading git command. Throws GitExit on any exit code but 0, Problem ('git') without git. */
  read(args: string[]): Promise<string>
  /** The same, undefined when git ends with an exit code other than 0. */
  tryRead(args: string[]): Promise<string | undefined>
  /** For what simple-git cannot do: input, a capped output. Exit codes are in the result. */
  pipe(args: string[], options?: PipeOptions): Promise<CommandResult>
}

export interface PipeOptions {
  input?: string
  env?: Record<string, string>
  capBytes?: number
  keep?: 'head' | 'tail'
  timeoutMs?: number
}

/** `ownPaths` are repo-relative directories. */
export function openReader(root: string, ownPaths: readonly string[] = []): GitReader {
  let opened: Promise<SimpleGit> | undefined
  const read = async (args: string[]) => {
    // Loaded at the first use: it would cost every start of the program a noticeable moment.
    opened ??= openSimpleGit(root)
    try {
      return await (await opened).raw(args)
    } catch (error) {
      throw readFailure(error, root)
    }
  }
  return {
    root,
    isOwn: (path) => ownPaths.some((own) => path === own || path.startsWith(`${own}/`)),
    withoutOwn: ['--', '.', ...ownPaths.map((own) => `:(exclude)${own}`)],
    read,
    tryRead: async (args) => {
      try {
        return await read(args)
      } catch (error) {
        if (error instanceof GitExit) return undefined
        throw error
      }
    },
    pipe: async (args, options = {}) =>
      await runCommand(['git', ...readSettings.flatMap((setting) => ['-c', setting]), ...args], {
        cwd: root,
        env: gitEnvironment({ ...readOnly, ...options.env }),
        timeoutMs: options.timeoutMs ?? readTimeoutMs,
        outputCap: options.capBytes ?? readCapBytes,
        keep: options.keep ?? 'head',
        input: options.input,
      }),
  }
}

async function openSimpleGit(root: string): Promise<SimpleGit> {
  const { simpleGit } = await import('simple-git')
  return simpleGit({
    baseDir: root,
    config: readSettings,
    timeout: { block: readTimeoutMs },
    allowEnvironment: Object.keys({ ...silent, ...readOnly }),
    unsafe: {
      allowUnsafeEditor: true,
      allowUnsafePager: true,
      allowUnsafeAskPass: true,
      allowUnsafeFsMonitor: true,
    },
    // Without this a git that fails without a word counts as success.
    errors: (error, result) => {
      const ofPlugin = error instanceof Error && 'plugin' in error
      if (ofPlugin || !(result.exitCode > 0)) return error
      return new Error(exitMessage(result.exitCode, Buffer.concat(result.stdErr).toString('utf8')))
    },
  }).env(gitEnvironment(readOnly))
}

// simple-git passes on nothing but the message of an error, so the exit code travels in it.
function exitMessage(code: number, output: string): string {
  return `git-exit ${code}\n${output}`
}

function readFailure(error: unknown, root: string): Error {
  const message = error instanceof Error ? error.message : String(error)
  const exit = /git-exit (\d+)\n([\s\S]*)$/.exec(message)
  if (exit) return new GitExit(Number(exit[1]), exit[2] ?? '')
  return gitFailed(`git could not be asked about ${root}: ${message.trim()}`, error)
}

export function gitFailed(what: string, cause?: unknown): Problem {
  return new Problem({
    code: 'git',
    what,
    why: 'Without an answer from git, autopilot cannot tell what changed, so it does not go on.',
    todo: 'Run `git status` in the project, mend what it reports, and start autopilot again.',
    cause,
  })
}

/** The entries of output that ends each one with NUL. */
export function nulList(output: string): string[] {
  return output.split('\0').filter((entry) => entry !== '')
}

/** The full id of the commit that a revision names, or undefined. Options and ranges name none. */
export async function commitId(reader: GitReader, revision: string): Promise<string | undefined> {
  if (revision === '' || /[\0\n]/.test(revision)) return undefined
  const found = await reader.tryRead([
    'rev-parse',
    '--verify',
    '-q',
    '--end-of-options',
    `${revision}^{commit}`,
  ])
  return found?.trim() || undefined
}
