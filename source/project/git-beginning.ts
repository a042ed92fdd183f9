import { lstat, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../processes/commands.js'
import { type LeftOut, largestFileBytes } from './git-list.js'
import { commitId, type GitReader, gitEnvironment, gitFailed, nulList, openReader } from './git-read.js'
import { findDamagedHead, hasIdentity } from './git-start.js'
import { gitDirectory } from './paths.js'
import { scanForSecrets } from './secrets.js'

// A project without a repository, or without a commit, begins with one (docs/durability.md, "The first commit").

/** What a first commit would hold. */
export interface Beginning {
  /** There is a repository already, and only the commit is missing. */
  hasRepository: boolean
  /** Repo-relative files that would be committed, sorted. */
  paths: string[]
  /** What is there and stays out of it, but for what git ignores. */
  leftOut: LeftOut[]
  /** Git knows in whose name to commit. */
  hasIdentity: boolean
}

/** Looks at a project without changing anything in it; null where there is a commit. */
export async function lookForBeginning(root: string, ownPaths: readonly string[]): Promise<Beginning | null> {
  const reader = openReader(root, { ownPaths })
  const hasRepository = (await gitDirectory(root)) !== undefined
  if (hasRepository && (await commitId(reader, 'HEAD'))) return null
  const damaged = hasRepository ? await findDamagedHead(reader) : undefined
  if (damaged) throw damaged
  const listed = hasRepository ? await listFiles(reader, {}) : await listWithoutRepository(reader)
  const found = { paths: [] as string[], leftOut: [] as LeftOut[] }
  for (const path of [...new Set(listed)].sort()) {
    if (reader.isOwn(path.replace(/\/$/, ''))) continue
    const why = await whyNot(root, path)
    if (why === undefined) found.paths.push(path)
    else if (why !== 'gone') found.leftOut.push({ path, why })
  }
  const secrets = new Map<string, string>()
  for (const { path, kind } of await scanForSecrets(root, found.paths)) secrets.set(path, kind)
  return {
    hasRepository,
    paths: found.paths.filter((path) => !secrets.has(path)),
    leftOut: [
      ...[...secrets].map(([path, kind]) => ({ path, why: `looks like a secret (${kind})` })),
      ...found.leftOut,
    ],
    hasIdentity: await hasIdentity(reader),
  }
}

/** Git lists what is there as if the project were a repository, from a directory of its own elsewhere. */
async function listWithoutRepository(reader: GitReader): Promise<string[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'autopilot-begin-'))
  try {
    await runGit(scratch, ['init', '-q', '--bare', '--template=', '.'])
    return await listFiles(reader, { GIT_DIR: scratch, GIT_WORK_TREE: reader.root })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function listFiles(reader: GitReader, env: Record<string, string>): Promise<string[]> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = await reader.pipe(args, { env })
  if (listed.code !== 0 || listed.truncated) throw gitFailed(`git ls-files failed: ${listed.stderr.trim()}`)
  return nulList(listed.stdout)
}

async function whyNot(root: string, path: string): Promise<string | undefined> {
  if (path.endsWith('/')) return 'a repository of its own'
  const stats = await lstat(join(root, path)).catch(() => undefined)
  if (!stats) return 'gone'
  if (stats.isSymbolicLink()) return undefined
  if (!stats.isFile()) return 'not a regular file'
  return stats.size > largestFileBytes ? 'larger than 5 MB' : undefined
}

/** Makes the repository, with the person's own template and name of the first branch. */
export async function makeRepository(root: string): Promise<void> {
  await runGit(root, ['init', '-q'])
}

/** Keeps in the repository in whose name commits are made. */
export async function setIdentity(root: string, { name, email }: Identity): Promise<void> {
  await runGit(root, ['config', 'user.name', name])
  await runGit(root, ['config', 'user.email', email])
}

export interface Identity {
  name: string
  email: string
}

/** `Your Name <you@example.org>`; undefined for anything else. Pure. */
export function readIdentity(text: string): Identity | undefined {
  const [, name, email] = /^([^<>\n]{1,100})<([^<>\s@]{1,100}@[^<>\s@]{1,100})>$/.exec(text.trim()) ?? []
  return name !== undefined && email !== undefined && name.trim() !== ''
    ? { name: name.trim(), email }
    : undefined
}

async function runGit(cwd: string, args: string[]): Promise<void> {
  const result = await runCommand(['git', ...args], {
    cwd,
    env: gitEnvironment(),
    timeoutMs: 60_000,
    outputCap: 64 * 1024,
  })
  if (result.code !== 0) throw gitFailed(`git ${args[0]} failed: ${result.stderr.trim()}`)
}
