import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'

export interface Repository {
  /** Subjects of `base..HEAD`, oldest first; of the whole history without a usable base. */
  subjects(base?: string): Promise<string[]>
  /** Which of the paths differ from HEAD, untracked ones included. */
  changed(paths: string[]): Promise<string[]>
  /** Paths that differ between `base` and the files now; every tracked path without a usable base. */
  touched(base?: string): Promise<string[]>
  /** Commits exactly the paths. Nothing to commit is fine: then nothing happens. */
  commit(message: string, paths: string[]): Promise<void>
}

interface Reply {
  code: number
  stdout: string
  stderr: string
}

const lockPatienceMs = 10_000
const betweenTriesMs = 100

/**
 * Environment of git: no inherited repository location, no prompts. The marker of the run is left out as well: a
 * dispatch may be killed at any moment, and a git that dies with it leaves a half-written index or its lock behind.
 * A git call is over in milliseconds, so it is left to finish.
 */
export function gitEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      !entry[0].startsWith('AUTOPILOT_') &&
      (!entry[0].startsWith('GIT_') || /^GIT_(AUTHOR|COMMITTER|CONFIG)_/.test(entry[0])),
  )
  return {
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: ':',
    GIT_PAGER: 'cat',
    LC_ALL: 'C',
  }
}

/** Runs git with fixed arguments in a session of its own (see `gitEnvironment`). */
export function git(dir: string, args: string[], env = gitEnvironment(process.env)): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd: dir, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr }))
  })
}

/** Options that name an author where neither the configuration nor the environment does. */
async function identity(dir: string): Promise<string[]> {
  const known = await git(dir, ['-c', 'user.useConfigOnly=true', 'var', 'GIT_COMMITTER_IDENT'])
  if (known.code === 0) return []
  return ['-c', 'user.name=Rehearsal Agent', '-c', 'user.email=rehearsal@autopilot.invalid']
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '')
const paths = (text: string) => text.split('\0').filter((path) => path !== '')

export function createRepository(dir: string): Repository {
  const read = async (args: string[]) => {
    const reply = await git(dir, ['--no-optional-locks', '-c', 'core.fsmonitor=false', ...args])
    if (reply.code !== 0) throw new Error(`git ${args[0]} failed: ${reply.stderr.trim()}`)
    return reply.stdout
  }
  const usable = async (base?: string) => {
    if (base === undefined || base.startsWith('-')) return false
    return (await git(dir, ['merge-base', '--is-ancestor', base, 'HEAD'])).code === 0
  }

  const repository: Repository = {
    async subjects(base) {
      const range = (await usable(base)) ? `${base}..HEAD` : 'HEAD'
      return lines(await read(['log', '--reverse', '--format=%s', range, '--']))
    },
    async changed(wanted) {
      if (wanted.length === 0) return []
      const literal = wanted.map((path) => `:(literal)${path}`)
      const status = await read(['status', '--porcelain=v1', '-z', '--no-renames', '-uall', '--', ...literal])
      return paths(status).map((entry) => entry.slice(3))
    },
    async touched(base) {
      if (!(await usable(base))) return paths(await read(['ls-files', '-z']))
      const tracked = paths(await read(['diff', '--name-only', '--no-ext-diff', '-z', String(base), '--']))
      const fresh = paths(await read(['ls-files', '-z', '--others', '--exclude-standard']))
      return [...new Set([...tracked, ...fresh])]
    },
    async commit(message, wanted) {
      const who = await identity(dir)
      const deadline = performance.now() + lockPatienceMs
      for (;;) {
        // Asked anew on every try: an earlier dispatch that was killed may have left a git behind that commits now.
        const open = await repository.changed(wanted)
        if (open.length === 0) return
        const literal = open.map((path) => `:(literal)${path}`)
        const added = await git(dir, ['add', '--', ...literal])
        const reply =
          added.code === 0
            ? await git(dir, [...who, 'commit', '-q', '-m', message, '--only', '--', ...literal])
            : added
        if (reply.code === 0) return
        if (performance.now() > deadline) {
          const reason = (reply.stderr || reply.stdout).trim()
          throw new Error(`The commit "${message}" was refused by git: ${reason}`)
        }
        await delay(betweenTriesMs)
      }
    },
  }
  return repository
}
