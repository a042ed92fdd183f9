import { lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { localRemotes, parseGitConfig } from '../git-config.js'
import { gitFailed } from '../git-read.js'
import { readPlainText } from './plain-read.js'
import { bareEnvironment, callGit, type PrivateRepository } from './private-repository.js'
import { forEachOf } from './store.js'

// Refs as they lie in the git directory, read without asking git: packed and loose ones give the same list, so `git gc`
// changes nothing here.

export interface ReadRefs {
  headText: string
  /** Full name; null when HEAD is detached. */
  branch: string | null
  head: string | null
  refs: Record<string, string>
  /** What is known here of branches of remotes. */
  tracking: Record<string, string>
  /** Branches and tags of repositories on this machine that are remotes of this one, by their paths. */
  remotes: Record<string, Record<string, string>>
  /** Times of `FETCH_HEAD`, which each fetch writes anew. */
  fetched: string
  /** Newest first. */
  stash: string[]
  stashLog: string
  shallow: string
  otherWorktrees: Record<string, string>
}

/** Of a moment, of one work tree alone, or of autopilot itself. The stash is read as a list. */
const passing = /^refs\/(?:stash$|(?:bisect|prefetch|rewritten|worktree)(?:\/|$)|autopilot\/(?!kept(?:\/|$)))/
const ofRemotes = 'refs/remotes/'
const largestRef = 4096
const mostRemotes = 16

/** Reads HEAD, branches, tags, replacements, the stash and what other work trees have checked out. */
export async function readRefs(repo: PrivateRepository): Promise<ReadRefs> {
  const { gitDir, commonDir } = repo
  const [headText, shallow, stashLog, all, otherWorktrees, remotes] = await Promise.all([
    readPlainText(join(gitDir, 'HEAD')),
    readPlainText(join(commonDir, 'shallow')),
    readPlainText(join(commonDir, 'logs', 'refs', 'stash')),
    refsOf(repo),
    worktreesOf(repo),
    refsOfRemotes(repo),
  ])
  const branch = /^ref: (\S+)/.exec(headText)?.[1] ?? null
  const head = branch === null ? headText.trim() || null : (commitOf(branch, all) ?? null)
  const refs: Record<string, string> = {}
  const tracking: Record<string, string> = {}
  for (const [name, id] of [...all].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (name.startsWith(ofRemotes)) tracking[name] = id
    else if (!passing.test(name)) refs[name] = id
  }
  const newest = all.get('refs/stash')
  const logged = stashLog
    .split('\n')
    .flatMap((line) => /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /.exec(line)?.[1] ?? [])
    .reverse()
  // Without a log there is one entry at most.
  const stash = newest === undefined ? [] : logged[0] === newest ? logged : [newest, ...logged]
  const facts = { headText: headText.trim(), branch, head, stash, stashLog, shallow, otherWorktrees }
  return { ...facts, refs, tracking, remotes, fetched: timesOf(join(gitDir, 'FETCH_HEAD')) }
}

function timesOf(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.mtimeNs} ${stats.ctimeNs}` : ''
}

/** A branch may be another name of a branch, and that of another. */
function commitOf(name: string, all: ReadonlyMap<string, string>): string | undefined {
  let id = all.get(name)
  for (let links = 0; links < 5 && id?.startsWith('ref: '); links += 1) id = all.get(id.slice('ref: '.length))
  return id
}

async function refsOf(repo: PrivateRepository): Promise<Map<string, string>> {
  const { commonDir } = repo
  const config = await readPlainText(join(commonDir, 'config'))
  if (/^\s*refstorage\s*=\s*reftable/im.test(config)) return await listedRefs(repo)
  return await refsIn(commonDir)
}

/** All refs of a git directory whose loose ones are files, but for those of a moment. */
async function refsIn(commonDir: string): Promise<Map<string, string>> {
  const all = packedRefs(await readPlainText(join(commonDir, 'packed-refs')))
  const links: [string, string][] = []
  const names = [...(await looseNames(commonDir, 'refs')), 'refs/stash']
  await forEachOf(names, async (name) => {
    const text = await readPlainText(join(commonDir, name))
    const id = /^[0-9a-f]{40,64}$/.exec(text.slice(0, largestRef).trim())?.[0]
    const target = /^ref: (\S+)/.exec(text)?.[1]
    if (id !== undefined) all.set(name, id)
    else if (target !== undefined) links.push([name, target])
    // Empty or garbage: it shadows what is packed, and nobody can say what it was to mean.
    else if (text !== '') all.set(name, `?${text.slice(0, 40)}`)
  })
  for (const [name, target] of links) all.set(name, `ref: ${target}`)
  return all
}

/** A push to one of these shows there, whatever is known of it here. */
async function refsOfRemotes({ place, commonDir }: PrivateRepository): Promise<ReadRefs['remotes']> {
  const entries = parseGitConfig(await readPlainText(join(commonDir, 'config')))
  const found: ReadRefs['remotes'] = {}
  for (const path of [...new Set(localRemotes(place.root, entries))].slice(0, mostRemotes)) {
    const directory = await gitDirectoryIn(path)
    if (directory === undefined || directory === commonDir) continue
    const refs = [...(await refsIn(directory))].filter(([name]) => /^refs\/(?:heads|tags)\//.test(name))
    found[path] = Object.fromEntries(refs.sort(([one], [other]) => (one < other ? -1 : 1)))
  }
  return found
}

/** Of a bare repository, or of one with a work tree; undefined where none with refs in files is there. */
export async function gitDirectoryIn(path: string): Promise<string | undefined> {
  for (const directory of [join(path, '.git'), path, `${path}.git`]) {
    if ((await readPlainText(join(directory, 'HEAD'))) === '') continue
    const config = await readPlainText(join(directory, 'config'))
    return /^\s*refstorage\s*=\s*reftable/im.test(config) ? undefined : directory
  }
  return undefined
}

function packedRefs(text: string): Map<string, string> {
  const all = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (line.startsWith('#') || line.startsWith('^')) continue
    const blank = line.indexOf(' ')
    if (blank >= 40) all.set(line.slice(blank + 1), line.slice(0, blank))
  }
  return all
}

async function looseNames(commonDir: string, under: string): Promise<string[]> {
  const entries = await readdir(join(commonDir, under), { withFileTypes: true }).catch(() => [])
  const names: string[] = []
  for (const entry of entries) {
    const name = `${under}/${entry.name}`
    // Git knows no ref with such a name.
    if (entry.name.startsWith('.') || passing.test(name)) continue
    if (entry.isDirectory()) names.push(...(await looseNames(commonDir, name)))
    else if (!entry.name.endsWith('.lock')) names.push(name)
  }
  return names
}

/** For a repository that keeps refs in tables. Listing them executes nothing. */
async function listedRefs(repo: PrivateRepository): Promise<Map<string, string>> {
  const env = bareEnvironment(repo.gitDir, repo.place.root)
  const result = await callGit(repo, ['for-each-ref', '--format=%(objectname) %(refname)'], { env })
  if (result.code !== 0) throw gitFailed(`git for-each-ref failed: ${result.stderr.trim()}`)
  return packedRefs(result.stdout.toString('utf8'))
}

/** Branches that other work trees of the same repository have checked out. */
async function worktreesOf(repo: PrivateRepository): Promise<Record<string, string>> {
  const { commonDir, gitDir } = repo
  const found: Record<string, string> = {}
  const names = await readdir(join(commonDir, 'worktrees')).catch(() => [])
  const places = names.map((name) => join(commonDir, 'worktrees', name))
  if (gitDir !== commonDir) places.push(commonDir)
  for (const place of places.filter((each) => each !== gitDir)) {
    const text = await readPlainText(join(place, 'HEAD'))
    const branch = /^ref: (\S+)/.exec(text)?.[1]
    const marker = (await readPlainText(join(place, 'gitdir'))).trim()
    if (branch !== undefined) found[branch] = marker.replace(/\/\.git$/, '') || place
  }
  return found
}
