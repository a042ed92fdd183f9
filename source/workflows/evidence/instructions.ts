import { createHash } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { PinnedFile } from '../../agents/confinement.js'
import { plainHead } from '../../project/git-plain.js'
import { instructionsOfProject } from '../../project/instruction-files.js'
import { importedInstructions } from '../../project/instruction-imports.js'
import { insideRoot } from '../../project/paths.js'
import { readPlain } from '../../project/snapshot/plain-read.js'
import {
  callGit,
  openPrivateRepository,
  type PrivateRepository,
} from '../../project/snapshot/private-repository.js'
import type { SnapshotPlace } from '../../project/snapshot/snapshot-types.js'
import { treeBlobs } from '../../project/snapshot/tree-blobs.js'

// Whoever judges work is told how by the instructions from before that work (docs/evidence.md, "Confinement").

const mostFiles = 200

/**
 * The instruction files of the project that are another than at the commit `since`, as a checking dispatch sees them: with the
 * content of then, and empty where they were committed later. What git does not know is left as it is. A file that is the same
 * is none of them: whoever changes it is seen by the comparison, and a mount would stand in the way of git.
 */
export async function pinnedInstructions(
  place: SnapshotPlace,
  since: string | undefined,
): Promise<PinnedFile[]> {
  const paths = since === undefined ? [] : await present(place.root)
  if (since === undefined || paths.length === 0) return []
  const head = (await plainHead(place.root))?.commit
  if (head === undefined) return []
  const repo = await openPrivateRepository(place)
  const before = await blobsOf(repo, since, paths)
  if (before === undefined) return []
  const isNew = paths.some((path) => !before.has(path))
  const now = isNew ? await blobsOf(repo, head, paths) : undefined
  const pinned = await Promise.all(
    paths.map(async (path): Promise<PinnedFile[]> => {
      const whole = join(place.root, path)
      const blob = before.get(path)
      if (blob === undefined) return now?.has(path) ? [{ path: whole, content: null }] : []
      if (blob === blobId((await readPlain(whole)) ?? Buffer.alloc(0), repo.idBytes)) return []
      const { code, stdout } = await callGit(repo, ['cat-file', 'blob', blob])
      return code === 0 ? [{ path: whole, content: stdout }] : []
    }),
  )
  return pinned.flat()
}

/** Repo-relative paths of the regular files that are there. */
async function present(root: string): Promise<string[]> {
  const found: string[] = []
  const look = async (path: string): Promise<void> => {
    if (found.length >= mostFiles) return
    const stats = await lstat(join(root, path)).catch(() => undefined)
    if (stats?.isFile()) found.push(path)
    if (!stats?.isDirectory()) return
    const names = await readdir(join(root, path)).catch((): string[] => [])
    for (const name of names.sort()) await look(`${path}/${name}`)
  }
  for (const path of instructionsOfProject) await look(path)
  const imported = await importedInstructions(found.map((path) => join(root, path)))
  for (const path of imported.filter((one) => insideRoot(root, one))) await look(relative(root, path))
  return [...new Set(found)]
}

/** By path the blob of the regular file that a commit has there; undefined where the commit is not known. */
async function blobsOf(
  repo: PrivateRepository,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string> | undefined> {
  const found = await treeBlobs(repo, commit, paths)
  const files = [...(found ?? [])].filter(([, { mode }]) => mode.startsWith('100'))
  return found && new Map(files.map(([path, { blob }]) => [path, blob]))
}

function blobId(bytes: Buffer, idBytes: number): string {
  const hash = createHash(idBytes === 32 ? 'sha256' : 'sha1')
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
