import { lstatSync, realpathSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import envPaths from 'env-paths'
import { Problem } from '../problem.js'
import { readPlainText } from './snapshot/plain-read.js'

// Where things are: docs/durability.md, "Paths and environment".

/** The nearest directory at or above `from` that holds a repository (`.git` directory or file), as a real path. */
export async function findProjectRoot(from: string): Promise<string | undefined> {
  let directory = await realpath(resolve(from)).catch(() => resolve(from))
  for (;;) {
    if (await holdsRepository(directory)) return directory
    const parent = dirname(directory)
    if (parent === directory) return undefined
    directory = parent
  }
}

/** The git directory of a work tree, by plain reads; undefined where there is none. Absolute. */
export async function gitDirectory(root: string): Promise<string | undefined> {
  const marker = join(root, '.git')
  const facts = await stat(marker).catch(() => undefined)
  if (facts?.isDirectory()) return marker
  if (!facts?.isFile()) return undefined
  const text = await readPlainText(marker)
  const named = /^gitdir: (.+)$/m.exec(text)?.[1]
  return named === undefined ? undefined : resolve(root, named.trim())
}

async function holdsRepository(directory: string): Promise<boolean> {
  const marker = await stat(join(directory, '.git')).catch(() => undefined)
  if (!marker) return false
  // Git itself passes by a directory of that name that is no repository.
  if (marker.isDirectory())
    return (await stat(join(directory, '.git', 'HEAD')).catch(() => undefined)) !== undefined
  return marker.isFile()
}

/**
 * A path as a person types it (absolute, `./`, `..`, backslashes), made relative to the root, with `/` between its
 * parts; `.` for the root itself. Throws a Problem ('outside') for what lies outside or leads there through a link.
 */
export function toRepoPath(root: string, input: string, cwd: string): string {
  if (input === '' || input.includes('\0') || (sep === '/' && /^[A-Za-z]:[\\/]/.test(input)))
    throw outside(input)
  const absolute = resolve(cwd, input.replaceAll('\\', '/'))
  const real = realOfExisting(absolute)
  const realRoot = realOfExisting(resolve(root))
  if (real === undefined || realRoot === undefined || !within(realRoot, real)) throw outside(input)
  // The path as it was written names the session; the real one only serves when the way to the root is another.
  const written = within(resolve(root), absolute)
    ? relative(resolve(root), absolute)
    : relative(realRoot, real)
  return written === '' ? '.' : written.split(sep).join('/')
}

/** True if `path` (absolute, or relative to the root) lies below the root once all links are followed. */
export function insideRoot(root: string, path: string): boolean {
  if (path.includes('\0')) return false
  const absolute = resolve(root, path)
  const real = realOfExisting(absolute)
  const realRoot = realOfExisting(resolve(root))
  return real !== undefined && realRoot !== undefined && real !== realRoot && within(realRoot, real)
}

function within(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The real path of the part that exists, followed by the rest as written; undefined for a link into nowhere. */
function realOfExisting(path: string): string | undefined {
  let existing = path
  const rest: string[] = []
  for (;;) {
    try {
      return join(realpathSync(existing), ...rest)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code !== 'ENOENT' && code !== 'ENOTDIR') return undefined
      if (isDangling(existing)) return undefined
      const parent = dirname(existing)
      if (parent === existing) return undefined
      rest.unshift(relative(parent, existing))
      existing = parent
    }
  }
}

function isDangling(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

function outside(input: string): Problem {
  return new Problem({
    code: 'outside',
    what: `${input === '' ? 'An empty path' : input} is not a path inside this repository.`,
    why: 'A session belongs to one repository: its files, its commits and its spec must lie in the same place.',
    todo: 'Name a file inside the repository, or start autopilot in the repository that holds the file.',
  })
}

/** Directory of the user's own files: configuration and trust. Never inside a project. */
export function userConfigDir(): string {
  const own = process.env.AUTOPILOT_CONFIG_DIR
  if (own) return resolve(own)
  const xdg = process.env.XDG_CONFIG_HOME
  // A relative value is ignored, as its specification demands: it would follow the current directory.
  if (xdg) return join(isAbsolute(xdg) ? xdg : join(homedir(), '.config'), 'autopilot')
  return envPaths('autopilot', { suffix: '' }).config
}

/**
 * Directory of what autopilot itself keeps for the user: the key of its seals, seals of sessions. Never inside a
 * project, and hidden from agents. Who moves the configuration by AUTOPILOT_CONFIG_DIR alone moves this with it.
 */
export function userStateDir(): string {
  const own = process.env.AUTOPILOT_STATE_DIR
  if (own) return resolve(own)
  if (process.env.AUTOPILOT_CONFIG_DIR) return join(userConfigDir(), 'state')
  const xdg = process.env.XDG_STATE_HOME
  if (xdg) return join(isAbsolute(xdg) ? xdg : join(homedir(), '.local', 'state'), 'autopilot')
  return envPaths('autopilot', { suffix: '' }).log
}

/** Directory of what can be made anew. Hidden from agents like the others. */
export function userCacheDir(): string {
  return process.env.AUTOPILOT_CONFIG_DIR
    ? join(userConfigDir(), 'cache')
    : envPaths('autopilot', { suffix: '' }).cache
}
