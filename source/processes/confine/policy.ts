import { existsSync, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { type Confinement, type ConfinementTool, isBelow, type Mount, realPath } from './confinement.js'
import { homePaths } from './home-paths.js'
import { listenedSockets, namedSockets } from './open-sockets.js'

// What an agent can write, what is hidden from it and what it can only read (docs/evidence.md, "Confinement").

/** Something that is hidden unless the person's settings allow it by its name. */
export interface Hidden {
  name: string
  /** Relative to HOME, or absolute. */
  paths: readonly string[]
  /** Said of it on the trust screen where it is allowed and gives more than it seems. */
  warning?: string
}

/** Keys and sockets that lead out of the project. Settings allow them by name (`confineAllow`). */
export const hiddenByName: readonly Hidden[] = [
  { name: 'ssh', paths: ['.ssh'] },
  { name: 'gpg', paths: ['.gnupg'] },
  { name: 'git-credentials', paths: ['.git-credentials', '.config/git/credentials', '.netrc'] },
  { name: 'gh', paths: ['.config/gh', '.config/glab-cli'] },
  { name: 'aws', paths: ['.aws'] },
  { name: 'gcloud', paths: ['.config/gcloud'] },
  { name: 'azure', paths: ['.azure'] },
  { name: 'kube', paths: ['.kube'] },
  { name: 'vault', paths: ['.vault-token', '.terraform.d', '.config/doctl', '.config/op'] },
  { name: 'keyring', paths: ['.local/share/keyrings', '.password-store', 'Library/Keychains'] },
  {
    name: 'docker',
    paths: ['.docker', '/run/docker.sock', '/var/run/docker.sock'],
    warning: 'who may speak to docker can do everything on this machine: an escape from confinement',
  },
]

/** Caches of package managers, relative to HOME: shared by all projects, and made anew when they are lost. */
const caches = [
  '.cache',
  '.npm',
  '.node-gyp',
  '.yarn',
  '.pnpm-store',
  '.local/share/pnpm',
  '.bun/install',
  '.cargo/registry',
  '.cargo/git',
  '.gradle',
  '.m2',
  '.ivy2',
  '.nuget',
  '.pub-cache',
  '.composer/cache',
  'go/pkg',
  'Library/Caches',
]

/** Made where they are missing: what is not there cannot be written, and the first program of a new HOME makes these. */
export const cachesToMake = ['.cache', '.npm']

/**
 * Directories that are empty and the dispatch's own, and what of the system is still to be seen in them. A new /dev
 * covers /dev/shm anyway: named here, what is needed of it is seen.
 */
const own = ['/tmp', '/run', '/dev/shm']
const seenInRun = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/connman',
  '/run/nscd',
  '/run/current-system',
  '/run/opengl-driver',
]

export interface ConfinementFacts {
  tool: ConfinementTool
  /** Absolute path of the project, and of the work tree of it that is worked in where that is another. */
  root: string
  cwd?: string
  home: string
  /** The environment that the process will get. */
  env: Readonly<Record<string, string>>
  /** The common git directory, where it lies outside of the project. */
  gitDir?: string
  /** Directories and files of the agent program itself, relative to HOME or absolute. */
  ownPaths: readonly string[]
  /** Configuration, state and cache of autopilot: hidden whatever is allowed. */
  autopilotPaths: readonly string[]
  /** Names of `hiddenByName`, and paths (absolute, or with `~/`) that may be written. */
  allowed: readonly string[]
  /** Inside the project: sessions, hooks, attributes. They can be read and not written, and not be moved. */
  readOnly: readonly string[]
  /** Files of the project as they are seen, read-only: with other content, or empty where there is none. */
  instead?: readonly { path: string; source?: string }[]
  /** Files and directories that are not seen. */
  hidden?: readonly string[]
  /** Other directories in the place of these, such as copies of what a persona may write of a session. */
  binds: readonly { path: string; source: string }[]
  /** Inside what is read-only or replaced: still to be written. */
  writable?: readonly string[]
}

export function planConfinement(facts: ConfinementFacts): Confinement {
  const { home, env, root, cwd, gitDir } = facts
  const at = (path: string) => homePaths(home, env, path)
  const allowedPaths = facts.allowed.filter((word) => isAbsolute(word) || word.startsWith('~/'))
  const writable = [
    root,
    ...(cwd === undefined ? [] : [cwd]),
    ...(gitDir === undefined ? [] : [gitDir]),
    ...[...caches, ...facts.ownPaths, ...allowedPaths, ...writtenBy(facts.allowed)].flatMap(at),
    ...(facts.writable ?? []),
  ]
  const mounts: Mount[] = [
    // What can be written anyway is not covered.
    ...privateMounts(facts).filter(({ kind, path }) => kind !== 'read' || !writable.includes(path)),
    ...writable.map((path): Mount => ({ kind: 'write', path })),
    ...[...hiddenPaths(facts), ...socketsBeside(facts, writable), ...(facts.hidden ?? [])].map(
      (path): Mount => ({ kind: 'hide', path }),
    ),
    ...facts.readOnly.map((path): Mount => ({ kind: 'read', path })),
    ...(facts.instead ?? []).map(({ path, source = '/dev/null' }): Mount => ({ kind: 'read', path, source })),
    ...facts.binds.map((bind): Mount => ({ kind: 'bind', ...bind })),
  ]
  return { tool: facts.tool, mounts }
}

/** Gpg keeps locks and its agent's socket beside the keys. */
const writtenBy = (allowed: readonly string[]) => (allowed.includes('gpg') ? ['.gnupg'] : [])

/** Sockets of agents that hold keys, which lie in directories that are a dispatch's own. */
function keySockets(env: Readonly<Record<string, string>>, allowed: readonly string[]): string[] {
  const runtimes = [env.XDG_RUNTIME_DIR, `/run/user/${process.getuid?.() ?? 0}`]
  const ofGpg = runtimes.flatMap((path) => (path === undefined ? [] : [join(path, 'gnupg')]))
  const ofSsh = env.SSH_AUTH_SOCK === undefined ? [] : [env.SSH_AUTH_SOCK]
  return [...(allowed.includes('gpg') ? ofGpg : []), ...(allowed.includes('ssh') ? ofSsh : [])]
}

/**
 * Sockets of the person's own programs that would be seen: of what is at work below HOME, and what variables name. Those below
 * what may be written belong to the work or to the agent program.
 */
function socketsBeside({ home, env, allowed }: ConfinementFacts, writable: readonly string[]): string[] {
  const real = (path: string) => realPath(path) ?? path
  const isBelowHome = (path: string) => isBelow(real(home), path)
  const listened = listenedSockets().map(real).filter(isBelowHome)
  const all = [...listened, ...namedSockets(process.env).map(real)]
  const ofDocker = allowed.includes('docker') ? namedSockets({ DOCKER_HOST: process.env.DOCKER_HOST }) : []
  const free = [...writable, ...keySockets(env, allowed), ...ofDocker].map(real)
  return all.filter(
    (path) =>
      !free.some((place) => isBelow(place, path)) &&
      (isBelowHome(path) || !own.some((place) => isBelow(real(place), path))),
  )
}

/** What is hidden here, as absolute paths: shown before it is agreed to. */
export function hiddenPaths({
  home,
  env,
  allowed,
  autopilotPaths,
}: Pick<ConfinementFacts, 'home' | 'env' | 'allowed' | 'autopilotPaths'>): string[] {
  const named = hiddenByName
    .filter(({ name }) => !allowed.includes(name))
    .flatMap(({ paths }) => paths.flatMap((path) => homePaths(home, env, path)))
  const all = [...named, ...autopilotPaths].filter((path) => existsSync(path))
  // Below a place that is hidden nothing can be mounted, and nothing is seen.
  return all.filter((path) => !all.some((outer) => outer !== path && isBelow(outer, path)))
}

/**
 * Empty directories of its own, and in them what is needed and would be covered: HOME, the directories of PATH, node,
 * files that variables name.
 */
function privateMounts({ env, home, allowed }: ConfinementFacts): Mount[] {
  const runtime = env.XDG_RUNTIME_DIR
  const places = [...own, ...(runtime && isAbsolute(runtime) && isOwnKind(runtime) ? [runtime] : [])].filter(
    (path) => existsSync(path) || path === runtime,
  )
  const needed = [
    home,
    ...programDirectories(env.PATH),
    dirname(process.execPath),
    ...[env.XDG_CONFIG_HOME, env.XDG_CACHE_HOME, env.XDG_DATA_HOME, env.GOOGLE_APPLICATION_CREDENTIALS],
    ...(allowed.includes('docker') ? ['/run/docker.sock'] : []),
    ...keySockets(env, allowed),
  ].filter((path): path is string => path !== undefined && isAbsolute(path))
  const covered = needed
    .map((path) => realPath(path) ?? path)
    .filter((path) => places.some((place) => place !== path && isBelow(realPath(place) ?? place, path)))
  return [
    ...places.map((path): Mount => ({ kind: 'own', path })),
    ...[...seenInRun, ...covered].map((path): Mount => ({ kind: 'read', path })),
  ]
}

/** A runtime directory is emptied only where it is one: never a directory of the person's work. */
function isOwnKind(path: string): boolean {
  return isBelow('/run', path) || isBelow('/tmp', path) || isBelow('/var/run', path)
}

/** The directories of PATH, with the place above `bin`, where programs keep what belongs to them. */
function programDirectories(path = ''): string[] {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((directory) =>
      directory.endsWith('/bin') && dirname(directory).split('/').length > 2
        ? [directory, dirname(directory)]
        : [directory],
    )
}

/** Why a project cannot be worked on confined, or undefined: inside, files of others belong to nobody. */
export function refusesConfinement(root: string): string | undefined {
  const uid = process.getuid?.()
  const owner = statSync(root, { throwIfNoEntry: false })?.uid
  if (uid === undefined || owner === undefined || owner === uid) return undefined
  return `${root} belongs to another user (${owner})`
}
