import { createHash } from 'node:crypto'
import type { Git } from '../../project/git.js'
import { readText, writeText } from '../../project/text-files.js'
import {
  isMapped,
  isStale,
  mostMapped,
  readRepoMap,
  repoMapOf,
  repoMapPath,
  type SourceText,
} from './repo-map.js'

/**
 * Brings the map of the code up to the commit at HEAD, from the files of that commit as they lie in the work tree.
 * Returns its repo-relative path; null where the project has nothing to map.
 */
export async function refreshRepoMap(
  project: { root: string },
  git: Git,
  at: string,
): Promise<string | null> {
  const head = await git.head()
  const before = readRepoMap(await readText(project, repoMapPath).catch(() => undefined))
  if (head === null) return null
  if (!isStale(before, head)) return repoMapPath
  const paths = (await git.pathsAt(head)).filter(isMapped).slice(0, mostMapped)
  if (paths.length === 0) return null
  const files: SourceText[] = []
  for (const path of paths) {
    const text = await readText(project, path).catch(() => undefined)
    if (text !== undefined)
      files.push({ path, text, hash: createHash('sha256').update(text).digest('hex').slice(0, 16) })
  }
  await writeText(
    project,
    repoMapPath,
    `${JSON.stringify(repoMapOf(files, { at, head }, before), null, 1)}\n`,
  )
  return repoMapPath
}
