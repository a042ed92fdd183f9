import { closeSync, constants as fsConstants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync, constants as zlibConstants } from 'node:zlib'
import { readPlain, readPlainText } from './snapshot/plain-read.js'
import { repositoryOf } from './snapshot/repository-of.js'

// What the files of a repository tell by themselves: where HEAD is, and that a commit is there. Git answers the same, and
// costs a process each time; it is asked wherever the files do not tell.

export interface PlainHead {
  /** Null when HEAD is detached. */
  branch: string | null
  /** Full id of the commit; undefined where the branch lies in no file of its own, or has no commit yet. */
  commit: string | undefined
}

const fullId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Undefined where git has to be asked: no repository at the root, HEAD of another shape, refs that lie in tables. */
export async function plainHead(root: string): Promise<PlainHead | undefined> {
  const places = await repositoryOf(root).catch(() => undefined)
  if (places === undefined) return undefined
  // Once HEAD was a link to the file of its branch: nothing of it may be read through.
  const file = await readPlain(join(places.gitDir, 'HEAD'), fsConstants.O_NOFOLLOW)
  const head = (file?.toString('utf8') ?? '').trim()
  if (fullId.test(head)) return { branch: null, commit: head }
  const ref = /^ref: (refs\/heads\/[^\s.][^\s]*)$/.exec(head)?.[1]
  if (ref === undefined || ref.includes('..')) return undefined
  const commit = (await readPlainText(join(places.commonDir, ref))).trim()
  // A branch that is another name of a branch.
  if (commit.startsWith('ref:')) return undefined
  return { branch: ref.slice('refs/heads/'.length), commit: fullId.test(commit) ? commit : undefined }
}

/** True if the full id is that of a commit that lies in a file of its own; false says nothing. */
export async function isLooseCommit(root: string, id: string): Promise<boolean> {
  if (!fullId.test(id)) return false
  const places = await repositoryOf(root).catch(() => undefined)
  if (places === undefined) return false
  const start = firstBytes(join(places.commonDir, 'objects', id.slice(0, 2), id.slice(2)))
  if (start === undefined) return false
  try {
    const options = { finishFlush: zlibConstants.Z_SYNC_FLUSH }
    return inflateSync(start, options).subarray(0, 7).toString('latin1') === 'commit '
  } catch {
    return false
  }
}

function firstBytes(path: string): Buffer | undefined {
  let file: number
  try {
    file = openSync(path, fsConstants.O_RDONLY | (fsConstants.O_NONBLOCK ?? 0))
  } catch {
    return undefined
  }
  try {
    const bytes = Buffer.alloc(128)
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
  } catch {
    return undefined
  } finally {
    closeSync(file)
  }
}
