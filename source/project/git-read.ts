import type { SimpleGit } from 'simple-git'
import { Problem } from '../problem.js'
import { type CommandResult, runCommand } from '../processes/commands.js'
import { childEnvironment } from '../processes/environment.js'
import { pinnedOnPath } from '../processes/find-program.js'
import { programPath } from '../processes/program-path.js'
import { type GitCall, type GitCalls, openGitCalls } from './git-calls.js'
import { isLooseCommit, plainHead } from './git-plain.js'

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
  GIT_NO_REPLACE_OBJECTS: '1',
}

const readOnly = { GIT_OPTIONAL_LOCKS: '0' }

/** Settings of every read: nothing of the repository runs, nothing is mixed into the output. */
const readSettings = [
  'core.fsmonitor=false',
  'core.quotePath=false',
  'log.showSignature=false',
  'trailer.separators=:',
  'core.commentChar=#',
  'color.ui=false',
]

/**
 * The minimal environment with `silent`: git, its hooks and its filters get no key and no token, and nothing points
 * them to another place. Replaced objects are never followed, as they can show another history.
 */
export function gitEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  return { ...childEnvironment(), ...silent, ...extra }
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
  /** The same for a command whose answer follows from the full ids in its arguments alone: git is asked once. */
  readFixed(args: string[]): Promise<string>
  /** The same as `read`, undefined when git ends with an exit code other than 0. */
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

export interface ReaderOptions {
  /** Repo-relative directories in which autopilot keeps sessions. */
  ownPaths?: readonly string[]
  /** Looks before every call whether git may be started here, and throws where not. */
  guard?: (() => Promise<void>) | undefined
  /** Where calls are told while they are under way. */
  calls?: GitCalls
}

export function openReader(
  root: string,
  { ownPaths = [], guard, calls = openGitCalls() }: ReaderOptions = {},
): GitReader {
  const read = async (args: string[]) => {
    await guard?.()
    try {
      return await calls.during(
        args[0] ?? '',
        async (call) => await (await openSimpleGit(root, call)).raw(args),
      )
    } catch (error) {
      throw readFailure(error, root)
    }
  }
  return {
    root,
    isOwn: (path) => ownPaths.some((own) => path === own || path.startsWith(`${own}/`)),
    withoutOwn: ['--', '.', ...ownPaths.map((own) => `:(exclude)${own}`)],
    read,
    readFixed: rememberedReads(read),
    tryRead: async (args) => {
      try {
        return await read(args)
      } catch (error) {
        if (error instanceof GitExit) return undefined
        throw error
      }
    },
    pipe: async (args, options = {}) =>
      await calls.during(
        args[0] ?? '',
        async ({ mark, marks, signal }) =>
          await runCommand(['git', ...readSettings.flatMap((setting) => ['-c', setting]), ...args], {
            cwd: root,
            env: gitEnvironment({ ...readOnly, ...options.env, ...marks }),
            timeoutMs: options.timeoutMs ?? readTimeoutMs,
            outputCap: options.capBytes ?? readCapBytes,
            keep: options.keep ?? 'head',
            input: options.input,
            guard,
            mark,
            signal,
          }),
      ),
  }
}

const mostFixed = 32
const largestFixed = 256 * 1024

/** Answers that stay as they are are kept, the last ones of them, where they are not large. */
function rememberedReads(read: (args: string[]) => Promise<string>): (args: string[]) => Promise<string> {
  const known = new Map<string, string>()
  return async (args) => {
    const key = args.join('\0')
    const answer = known.get(key) ?? (await read(args))
    known.delete(key)
    if (answer.length <= largestFixed) known.set(key, answer)
    const [oldest] = known.keys()
    if (known.size > mostFixed && oldest !== undefined) known.delete(oldest)
    return answer
  }
}

/** Loaded at the first use: it would cost every start of the program a noticeable moment. */
async function openSimpleGit(root: string, { marks, signal }: GitCall): Promise<SimpleGit> {
  const env = gitEnvironment({ ...readOnly, ...marks })
  const PATH = programPath(env.PATH, root)
  // By its path, as every program: a name would be looked for once more, and by somebody else's rule.
  const program = pinnedOnPath('git', PATH, root)
  if (program === undefined) throw new Error('git was not found on PATH outside of the project')
  const { simpleGit } = await import('simple-git')
  return simpleGit({
    baseDir: root,
    binary: program,
    config: readSettings,
    timeout: { block: readTimeoutMs },
    abort: signal,
    allowEnvironment: Object.keys({ ...silent, ...readOnly }),
    unsafe: {
      allowUnsafeEditor: true,
      allowUnsafePager: true,
      allowUnsafeAskPass: true,
      allowUnsafeFsMonitor: true,
      // It takes a path with a blank in it for an unsafe one.
      allowUnsafeCustomBinary: true,
    },
    // Without this a git that fails without a word counts as success.
    errors: (error, result) => {
      const ofPlugin = error instanceof Error && 'plugin' in error
      if (ofPlugin || !(result.exitCode > 0)) return error
      return new Error(exitMessage(result.exitCode, Buffer.concat(result.stdErr).toString('utf8')))
    },
  }).env({ ...env, PATH })
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
  const id = revision === 'HEAD' ? (await plainHead(reader.root))?.commit : revision
  if (id !== undefined && (await isLooseCommit(reader.root, id))) return id
  const found = await reader.tryRead([
    'rev-parse',
    '--verify',
    '-q',
    '--end-of-options',
    `${revision}^{commit}`,
  ])
  return found?.trim() || undefined
}
