import { lstat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type GitReader, nulList } from './git-read.js'
import { writeGit } from './git-side-tree.js'
import type { CommitLimits } from './git-write.js'

/** What came of giving changes back that were put aside. */
export interface GivenBack {
  given: string[]
  /** Changed by somebody else since: only the ref has them. */
  left: string[]
}

/**
 * Brings what `putAside` keeps under a ref back into the work tree. A file that was changed since is left alone, and
 * what is there already counts as given: done twice it comes to the same. Nothing enters the index.
 */
export async function giveBackFrom(reader: GitReader, limits: CommitLimits, ref: string): Promise<GivenBack> {
  const list = await reader.read(['diff-tree', '-r', '-z', '--name-only', '--no-renames', `${ref}^`, ref])
  const came: GivenBack = { given: [], left: [] }
  for (const path of nulList(list)) {
    const [kept, base, head, now] = await Promise.all([
      blobAt(reader, ref, path),
      blobAt(reader, `${ref}^`, path),
      blobAt(reader, 'HEAD', path),
      blobNow(reader, path),
    ])
    const isFree = base === head && now === head
    if (now !== kept && !isFree) {
      came.left.push(path)
      continue
    }
    if (now !== kept) await bring(reader, limits, { ref, path, isGone: kept === undefined })
    came.given.push(path)
  }
  return came
}

async function bring(
  reader: GitReader,
  limits: CommitLimits,
  { ref, path, isGone }: { ref: string; path: string; isGone: boolean },
): Promise<void> {
  if (isGone) return unlink(join(reader.root, path))
  await writeGit(reader, limits, [
    '--literal-pathspecs',
    'restore',
    `--source=${ref}`,
    '--worktree',
    '--',
    path,
  ])
}

async function blobAt(reader: GitReader, commit: string, path: string): Promise<string | undefined> {
  return (await reader.tryRead(['rev-parse', '--verify', '-q', `${commit}:${path}`]))?.trim()
}

/** Undefined where nothing is there; what is no file is nobody's content. */
async function blobNow(reader: GitReader, path: string): Promise<string | undefined> {
  const stats = await lstat(join(reader.root, path)).catch(() => undefined)
  if (stats === undefined) return undefined
  if (!stats.isFile()) return 'no file'
  return (await reader.read(['hash-object', '--', path])).trim()
}
