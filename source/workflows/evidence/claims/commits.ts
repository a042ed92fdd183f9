import { basename } from 'node:path'
import { type CommitContent, type Git, largestFileBytes } from '../../../project/git.js'
import { secretKinds, suspiciousName } from '../../../project/secrets.js'

// What agents commit gets the look that our own commits get: every commit, not only the final difference
// (docs/evidence.md, "Claims").

export interface CommitDoubt {
  path: string
  /** Short id of the commit. */
  commit: string
  why: string
}

/** Names that show what a secret file would look like, without holding one. */
const sample = /\.(?:example|sample|template|dist)$/i

/**
 * Secret-looking files, files over 5 MB, and files that were dirty before, in the commits after `from`. `foreign` are
 * the paths with uncommitted changes of the person.
 */
export async function commitDoubts(
  git: Pick<Git, 'commitContents' | 'addedTexts' | 'blobSizes'>,
  from: string,
  foreign: ReadonlySet<string>,
): Promise<CommitDoubt[]> {
  const commits = await git.commitContents(from)
  if (commits.length === 0) return []
  const sizes = await git.blobSizes(
    commits.flatMap(({ files }) => files.flatMap(({ blob }) => (blob === null ? [] : [blob]))),
  )
  const values = (await git.addedTexts(from)).flatMap(({ sha, path, text }) =>
    secretKinds(text).map((kind): CommitDoubt => ({ path, commit: short(sha), why: `looks like a ${kind}` })),
  )
  return unique([...commits.flatMap((commit) => fileDoubts(commit, sizes, foreign)), ...values])
}

function fileDoubts(
  { sha, files }: CommitContent,
  sizes: ReadonlyMap<string, number>,
  foreign: ReadonlySet<string>,
): CommitDoubt[] {
  return files.flatMap(({ path, blob }) => {
    const name = basename(path)
    const why = [
      ...(blob !== null && suspiciousName(name) && !sample.test(name)
        ? ['has the name of a secret file']
        : []),
      ...(blob !== null && (sizes.get(blob) ?? 0) > largestFileBytes ? ['is larger than 5 MB'] : []),
      ...(foreign.has(path) ? ['had uncommitted changes of yours before the phase began'] : []),
    ]
    return why.map((reason): CommitDoubt => ({ path, commit: short(sha), why: reason }))
  })
}

const short = (sha: string) => sha.slice(0, 7)

function unique(doubts: readonly CommitDoubt[]): CommitDoubt[] {
  const seen = new Map(doubts.map((doubt) => [JSON.stringify(doubt), doubt]))
  return [...seen.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}
