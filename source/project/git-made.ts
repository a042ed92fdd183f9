import { commitId, type GitReader, nulList } from './git-read.js'

// Which commit is ours, whatever hooks did to it and behind it (docs/durability.md, "Commits").

export const attemptTrailer = 'Autopilot-Attempt'

/** Prints the attempt ids of a commit, separated by commas. */
export const trailerFormat = `%(trailers:key=${attemptTrailer},valueonly,separator=%x2C)`

interface Candidate {
  sha: string
  parent: string
  tree: string
  attempts: string[]
}

/** Commits from `since` (exclusive) to HEAD, newest first. */
async function candidates(reader: GitReader, since: string | undefined): Promise<Candidate[]> {
  const range = since === undefined ? 'HEAD' : `${since}..HEAD`
  const format = `--format=%H%x1f%P%x1f%T%x1f${trailerFormat}`
  const listed = nulList(await reader.read(['log', '-z', format, range, '--']))
  return listed.map((entry) => {
    const [sha = '', parents = '', tree = '', attempts = ''] = entry.trim().split('\x1f')
    return { sha, parent: parents.split(' ')[0] ?? '', tree, attempts: attempts.split(',') }
  })
}

/**
 * The commit that `git commit` has just made: by its trailer; where a hook has rewritten the message, by its tree; where
 * a hook has changed that too, the first one on top of `from`. Hooks may have committed more behind it. `failed`: git said
 * that it made none, so only the trailer counts.
 */
export async function findMade(
  reader: GitReader,
  made: { from: string | null; tree: string; attemptId: string; failed: boolean },
): Promise<string | undefined> {
  const found = await candidates(reader, made.from ?? undefined)
  const onTop = found.filter(({ parent }) => parent === (made.from ?? ''))
  const ours =
    found.find(({ attempts }) => attempts.includes(made.attemptId)) ??
    (made.failed ? undefined : (onTop.find(({ tree }) => tree === made.tree) ?? onTop[0]))
  return ours?.sha
}

/**
 * The same after a crash, from the commit that was HEAD before: by its trailer, else the one on top of that commit that
 * changes none but these paths.
 */
export async function findAttempt(
  reader: GitReader,
  attemptId: string,
  since: string | null,
  paths: readonly string[] = [],
): Promise<string | null> {
  if (!(await commitId(reader, 'HEAD'))) return null
  const start = since === null ? undefined : await commitId(reader, since)
  const found = await candidates(reader, start)
  const trailed = found.find(({ attempts }) => attempts.includes(attemptId))
  if (trailed) return trailed.sha
  const onTop = start === undefined ? undefined : found.find(({ parent }) => parent === start)
  if (onTop === undefined || paths.length === 0) return null
  const changed = await pathsOfCommit(reader, onTop.sha)
  const wanted = new Set(paths)
  return changed.length > 0 && changed.every((path) => wanted.has(path)) ? onTop.sha : null
}

/** Paths that a commit changed against its first parent, both names of a rename. */
export async function pathsOfCommit(reader: GitReader, sha: string): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--no-commit-id', '--name-only', '--no-renames', '--root', sha]
  return nulList(await reader.read(args))
}

/**
 * Paths that HEAD has otherwise than `from`, and the user's index still as `from` had them: without a change git would
 * show what was committed as taken back, and the next commit would do that.
 */
export async function stalePaths(reader: GitReader, from: string | null): Promise<string[]> {
  if (from === null) return []
  const names = ['--name-only', '-z', '--no-renames']
  const committed = nulList(await reader.read(['diff-tree', '-r', ...names, from, 'HEAD']))
  if (committed.length === 0) return []
  const staged = new Set(nulList(await reader.read(['diff-index', '--cached', ...names, from, '--'])))
  return committed.filter((path) => !staged.has(path))
}
