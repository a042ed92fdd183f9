import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { readRegularText } from '../../../storage/read-file.js'
import { docsDir } from '../flow/flow.js'

// A look at a project, taken once; everything that is decided from it is pure (docs/lifecycle.md, "Detection").

export interface ListedFile {
  /** Repo-relative. */
  path: string
  size: number
  /** Milliseconds since the epoch. */
  mtime: number
  /** Where it really lies, repo-relative, if a link leads there. */
  real?: string
}

export interface Listing {
  /** Files of `_docs/`, sorted by path. */
  docs: readonly ListedFile[]
  /** Texts of the files of `_docs/` that decisions look into, by path. */
  texts: ReadonlyMap<string, string>
  /** Files elsewhere that are source, the first few of them. */
  sources: readonly string[]
  /** Documents of `docs` that were emptied: they show nothing. */
  emptied?: ReadonlySet<string>
  /** What `_docs` is: a folder, something else, or not there. */
  docsKind: 'folder' | 'file' | 'missing'
}

const mostFiles = 20_000
const mostSources = 20
const largestText = 512 * 1024

/** Folders that never hold source of the project. */
const passedFolders = new Set(['node_modules', docsDir])
const lockFiles =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|.*\.lock|go\.sum|.*\.lockfile)$/i
const noSource = /^(?:\..*|.*\.(?:md|mdx|markdown)|(?:licen[cs]e|copying|notice|unlicense)(?:\..*)?)$/i

/** Whether a file counts as source: no Markdown, licence, dotfile or lock file. */
export function isSource(name: string): boolean {
  return !noSource.test(name) && !lockFiles.test(name)
}

/**
 * Lists a project by plain reads. Of links in `_docs/` those are followed that lead to another place of the project.
 * `isAskedFor` says of which files the texts are wanted.
 */
export async function listProject(root: string, isAskedFor: (path: string) => boolean): Promise<Listing> {
  const docsKind = await kindOf(join(root, docsDir))
  const docs: ListedFile[] = []
  if (docsKind === 'folder') await listDocs(await beginWalk(root, docs), docsDir)
  docs.sort((one, other) => (one.path < other.path ? -1 : 1))
  const texts = new Map<string, string>()
  for (const { path, size, real } of docs) {
    if (size > largestText || !isAskedFor(path.slice(docsDir.length + 1))) continue
    const text = await readRegularText(real ?? path, { root }).catch(() => undefined)
    if (text !== undefined) texts.set(path, text)
  }
  return { docs, texts, sources: await sourcesOf(root), docsKind }
}

async function kindOf(path: string): Promise<Listing['docsKind']> {
  const info = await stat(path).catch(() => undefined)
  return info === undefined ? 'missing' : info.isDirectory() ? 'folder' : 'file'
}

async function entriesOf(path: string): Promise<Dirent[]> {
  return readdir(path, { withFileTypes: true }).catch(() => [])
}

interface Walk {
  root: string
  /** Real paths of the project and of its documents. */
  realRoot: string
  realDocs: string
  /** Real paths of folders that links led to. */
  seen: Set<string>
  found: ListedFile[]
}

async function beginWalk(root: string, found: ListedFile[]): Promise<Walk> {
  const real = (path: string) => realpath(path).catch(() => path)
  return {
    root,
    realRoot: await real(root),
    realDocs: await real(join(root, docsDir)),
    seen: new Set(),
    found,
  }
}

/** `isLinked`: a link led to the folder, so that every file in it has a real place, and no other link is followed. */
async function listDocs(walk: Walk, folder: string, isLinked = false): Promise<void> {
  const { root, found } = walk
  for (const entry of await entriesOf(join(root, folder))) {
    const path = `${folder}/${entry.name}`
    if (found.length >= mostFiles) return
    if (entry.isDirectory()) await listDocs(walk, path, isLinked)
    else if (entry.isFile()) await addFile(walk, path, isLinked ? await realOf(root, path) : undefined)
    else if (entry.isSymbolicLink() && !isLinked) await followLink(walk, path)
  }
}

const realOf = (root: string, path: string) => realpath(join(root, path)).catch(() => undefined)

async function addFile({ root, realRoot, found }: Walk, path: string, target: string | undefined) {
  const info = await stat(join(root, path)).catch(() => undefined)
  const real = target === undefined ? {} : { real: relative(realRoot, target) }
  if (info?.isFile()) found.push({ path, size: info.size, mtime: info.mtimeMs, ...real })
}

async function followLink(walk: Walk, path: string): Promise<void> {
  const { root, realDocs, seen } = walk
  const target = await realOf(root, path)
  if (target === undefined || !isElsewhere(walk, target)) return
  if ((await kindOf(target)) !== 'folder') return addFile(walk, path, target)
  // A folder that holds the documents, or was listed already, would go on without end.
  if (seen.has(target) || isBelow(target, realDocs)) return
  seen.add(target)
  await listDocs(walk, path, true)
}

/** In the project, and no document that stands for itself. */
function isElsewhere({ realRoot, realDocs }: Walk, target: string): boolean {
  const [first] = relative(realRoot, target).split('/')
  return isBelow(realRoot, target) && !isBelow(realDocs, target) && first !== '.git' && first !== '.autopilot'
}

function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path)
  return !inside.startsWith('..') && !isAbsolute(inside)
}

/** Breadth first, so that a large project is known by what lies on top. */
async function sourcesOf(root: string): Promise<string[]> {
  const found: string[] = []
  const queue = ['']
  let looked = 0
  for (const folder of queue) {
    for (const entry of await entriesOf(join(root, folder))) {
      looked += 1
      if (looked > mostFiles || found.length >= mostSources) return found
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !passedFolders.has(entry.name)) queue.push(path)
      } else if (entry.isFile() && isSource(entry.name)) found.push(path)
    }
  }
  return found
}
