import { lstatSync } from 'node:fs'
import { mkdir, rm, unlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { signalGroup } from '../../processes/signals.js'
import { startProcess } from '../../processes/start-process.js'
import { parseGitConfig } from '../git-config.js'
import { gitFailed } from '../git-read.js'
import { readPlain, readPlainText } from './plain-read.js'
import { repositoryOf } from './repository-of.js'
import type { SnapshotPlace } from './snapshot-types.js'
import { writeWhole } from './store.js'

// The repository in which snapshots are taken: our own directory, with the objects of the project to borrow from. Its git
// knows no settings, attributes or hooks but ours, so nothing of the project or its person is executed, and content is
// taken byte by byte (docs/evidence.md, "Snapshots").

const defaultTimeoutMs = 600_000
const outputCap = 256 * 1024 * 1024
const errorCap = 8 * 1024

export interface PrivateRepository {
  place: SnapshotPlace
  /** Our own git directory. */
  dir: string
  /** Git directory of the work tree, and the one it shares with others. Absolute. */
  gitDir: string
  commonDir: string
  /** 20, or 32 with sha256. */
  idBytes: number
  /** Rules of what is ignored that lie outside of the work tree. */
  excludes: string
  /** Something in it is not as it was at the snapshot before. */
  changed: boolean
}

export interface GitOutput {
  code: number | null
  stdout: Buffer
  stderr: string
}

export interface GitCall {
  input?: Buffer | string
  env?: Record<string, string>
}

/** Opens the private repository of a place, and makes it at the first time. Throws Problem ('repository', 'git'). */
export async function openPrivateRepository(place: SnapshotPlace): Promise<PrivateRepository> {
  const { gitDir, commonDir } = await repositoryOf(place.root)
  const dir = join(place.store, 'git')
  const settings = parseGitConfig(await readPlainText(join(commonDir, 'config')))
  const setting = (key: string) => settings.filter((entry) => entry.key === key).at(-1)?.value
  const idBytes = setting('extensions.objectformat')?.toLowerCase() === 'sha256' ? 32 : 20
  const excludes = await excludesOf(place, commonDir)
  const texts = {
    HEAD: 'ref: refs/heads/snapshot\n',
    config: configText(idBytes, setting('core.filemode'), setting('core.ignorecase')),
    'info/attributes': '* -text -filter -ident -eol -working-tree-encoding -diff -merge\n',
    'info/exclude': excludes,
    shallow: await readPlainText(join(commonDir, 'shallow')),
  }
  const changed = await keepTexts(dir, texts, join(commonDir, 'objects'))
  return { place, dir, gitDir, commonDir, idBytes, excludes, changed }
}

/** What this process has written into the private repositories; what is the same needs no look at the disk. */
const written = new Map<string, string>()

/** True if anything is different from before. */
async function keepTexts(dir: string, texts: Record<string, string>, objects: string): Promise<boolean> {
  const wanted = JSON.stringify([texts, objects])
  if (written.get(dir) === wanted && lstatSync(join(dir, 'config'), { throwIfNoEntry: false })) return false
  for (const each of ['objects/info', 'trees', 'refs/heads', 'info'])
    await mkdir(join(dir, each), { recursive: true, mode: 0o700 })
  let changed = await borrowObjects(dir, [join(dir, 'trees'), objects])
  for (const [name, text] of Object.entries(texts)) {
    if (await keepText(join(dir, name), text)) changed = true
  }
  written.set(dir, wanted)
  return changed
}

async function keepText(path: string, text: string): Promise<boolean> {
  const known = (await readPlain(path))?.toString('utf8')
  if (known === text || (known === undefined && text === '')) return false
  if (text === '') await unlink(path)
  else await writeWhole(path, text)
  return true
}

function configText(idBytes: number, fileMode = 'true', ignoreCase = 'false'): string {
  const asBoolean = (text: string) => (/^(?:true|yes|on|1)$/i.test(text) ? 'true' : 'false')
  const lines = [
    '[core]',
    `repositoryformatversion = ${idBytes === 32 ? 1 : 0}`,
    'bare = false',
    `fileMode = ${asBoolean(fileMode)}`,
    `ignoreCase = ${asBoolean(ignoreCase)}`,
    'autocrlf = false',
    'safecrlf = false',
    'fsmonitor = false',
    'untrackedCache = false',
    'commitGraph = false',
    'quotePath = false',
    'hooksPath = /dev/null',
    'attributesFile = /dev/null',
    'excludesFile = /dev/null',
    'looseCompression = 1',
    '[index]',
    'version = 2',
    'sparse = false',
    '[gc]',
    'auto = 0',
    '[maintenance]',
    'auto = false',
    ...(idBytes === 32 ? ['[extensions]', 'objectFormat = sha256'] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** What was borrowed once stays borrowed: objects of an earlier snapshot may lie there. */
async function borrowObjects(dir: string, places: readonly string[]): Promise<boolean> {
  const path = join(dir, 'objects', 'info', 'alternates')
  const known = (await readPlainText(path)).split('\n').filter((line) => line !== '')
  const fresh = places.map(quoted).filter((line) => !known.includes(line))
  if (fresh.length === 0) return false
  await writeWhole(path, `${[...known, ...fresh].join('\n')}\n`)
  return true
}

/** A path as git reads it between quotes, whatever is in it. */
function quoted(path: string): string {
  const text = path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return `"${text}"`
}

async function excludesOf(place: SnapshotPlace, commonDir: string): Promise<string> {
  const own = (place.ownPaths ?? []).map((path) => `/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}/`)
  const texts = await Promise.all(
    [await userExcludesFile(), join(commonDir, 'info', 'exclude')].map(
      async (path) => await readPlainText(path),
    ),
  )
  return `${[...texts, ...own].join('\n')}\n`
}

/** The person's own list of ignored files, as their settings name it. */
export async function userExcludesFile(): Promise<string> {
  const directory = userGitDirectory()
  let named: string | undefined
  for (const path of [join(directory, 'config'), join(homedir(), '.gitconfig')]) {
    const entries = parseGitConfig(await readPlainText(path))
    named = entries.filter((entry) => entry.key === 'core.excludesfile').at(-1)?.value ?? named
  }
  if (named === undefined) return join(directory, 'ignore')
  return named.startsWith('~/') ? join(homedir(), named.slice(2)) : resolve(homedir(), named)
}

/** Where git looks for the person's `config`, `ignore` and `attributes`. */
export function userGitDirectory(): string {
  const base = process.env.XDG_CONFIG_HOME
  return join(base && isAbsolute(base) ? base : join(homedir(), '.config'), 'git')
}

/** Nothing of the person's or the project's settings reaches git, and commits of ours have a fixed date. */
export function bareEnvironment(gitDir: string, root: string): Record<string, string> {
  const author = { NAME: 'autopilot', EMAIL: 'autopilot@localhost', DATE: '1700000000 +0000' }
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_DIR: gitDir,
    GIT_WORK_TREE: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: ':',
    GIT_PAGER: 'cat',
  }
  for (const [name, value] of Object.entries(author)) {
    env[`GIT_AUTHOR_${name}`] = value
    env[`GIT_COMMITTER_${name}`] = value
  }
  return env
}

/** Runs git in the private repository and gives what it printed, whatever its exit code. */
export async function callGit(
  repo: PrivateRepository,
  args: string[],
  call: GitCall = {},
): Promise<GitOutput> {
  const { place } = repo
  const child = startProcess({
    argv: ['git', ...args],
    cwd: place.root,
    env: { ...bareEnvironment(repo.dir, place.root), ...call.env },
    marks: place.mark ? [place.mark] : [],
    stdin: call.input === undefined ? 'none' : 'pipe',
  })
  const chunks: Buffer[] = []
  let size = 0
  let stderr = ''
  const stop = () => void (child.pid !== undefined && signalGroup(child.pid, 'SIGKILL'))
  child.stdout?.on('data', (bytes: Buffer) => {
    size += bytes.length
    if (size > outputCap) stop()
    else chunks.push(bytes)
  })
  child.stderr?.on('data', (bytes: Buffer) => {
    if (stderr.length < errorCap) stderr += bytes.toString('utf8')
  })
  const timer = setTimeout(stop, place.timeoutMs ?? defaultTimeoutMs)
  place.signal?.addEventListener('abort', stop, { once: true })
  if (place.signal?.aborted) stop()
  child.stdin?.end(call.input)
  const end = await child.exited
  if (end.spawnError === undefined) await child.closed
  clearTimeout(timer)
  place.signal?.removeEventListener('abort', stop)
  if (end.spawnError) throw gitFailed(`git could not be started: ${end.spawnError.message}`, end.spawnError)
  if (end.signal !== null) throw gitFailed(`git ${args[0]} was ended while a snapshot was taken.`)
  return { code: end.code, stdout: Buffer.concat(chunks), stderr }
}

/** The same for a command that has to succeed. Throws Problem ('git'). */
export async function mustGit(repo: PrivateRepository, args: string[], call: GitCall = {}): Promise<Buffer> {
  const result = await callGit(repo, args, call)
  if (result.code === 0) return result.stdout
  throw gitFailed(`git ${args[0]} failed while a snapshot was taken: ${result.stderr.trim()}`)
}

/** Forgets the private index, so that the next snapshot makes it anew. */
export async function forgetIndex(repo: PrivateRepository): Promise<void> {
  await rm(join(repo.dir, 'index'), { force: true })
}

/** True for a path in which autopilot keeps sessions. */
export function isOwnPath(place: SnapshotPlace, path: string): boolean {
  return (place.ownPaths ?? []).some((own) => path === own || path.startsWith(`${own}/`))
}

/** A path relative to the root where it lies below it, else as it is. */
export function shownPath(root: string, path: string): string {
  const way = relative(root, path)
  return way === '' || way.startsWith('..') || isAbsolute(way) ? path : way
}

/** Store of a submodule or nested repository. */
export function storeOfPart(store: string, key: string): string {
  return join(store, 'parts', key.slice(0, 16))
}
