import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readRegularText } from '../../../storage/read-file.js'
import { docsDir } from '../flow/flow.js'

// A look at a project, taken once; everything that is decided from it is pure (docs/lifecycle.md, "Detection").

export interface ListedFile {
  /** Repo-relative. */
  path: string
  size: number
  /** Milliseconds since the epoch. */
  mtime: number
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

/** Lists a project by plain reads; links are not followed. `more` are texts that the flows ask for (globs are matched by the caller). */
export async function listProject(root: string, isAskedFor: (path: string) => boolean): Promise<Listing> {
  const docsKind = await kindOf(join(root, docsDir))
  const docs: ListedFile[] = []
  if (docsKind === 'folder') await listDocs(root, docsDir, docs)
  docs.sort((one, other) => (one.path < other.path ? -1 : 1))
  const texts = new Map<string, string>()
  for (const { path, size } of docs) {
    if (size > largestText || !isAskedFor(path.slice(docsDir.length + 1))) continue
    const text = await readRegularText(path, { root }).catch(() => undefined)
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

async function listDocs(root: string, folder: string, found: ListedFile[]): Promise<void> {
  for (const entry of await entriesOf(join(root, folder))) {
    const path = `${folder}/${entry.name}`
    if (found.length >= mostFiles) return
    if (entry.isDirectory()) await listDocs(root, path, found)
    else if (entry.isFile()) {
      const info = await stat(join(root, path)).catch(() => undefined)
      if (info) found.push({ path, size: info.size, mtime: info.mtimeMs })
    }
  }
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
