import type { DirtyPath, Git, LoggedCommit } from '../../project/git.js'
import type { GateBuild, Run } from '../../run/run.js'
import { qMoved } from './questions.js'

// Where the work tree stood when a dispatch had ended, and what a person did to it before a commit of ours: shown and
// asked about before, never found out after (docs/durability.md, "Commits").

/** Where the work tree stands. */
export interface WorkPlace {
  head: string | null
  branch: string | null
  dirty: DirtyPath[]
}

type PlaceGit = Pick<Git, 'head' | 'branch' | 'dirty' | 'exists' | 'log' | 'changedFiles'>

export async function workPlace(git: Pick<Git, 'head' | 'branch' | 'dirty'>): Promise<WorkPlace> {
  const [head, branch, dirty] = [await git.head(), await git.branch(), await git.dirty()]
  return { head, branch, dirty }
}

/** Where a commit may be made; undefined where the person leaves the changes uncommitted. */
export type Settled = { head: string | null; branch: string | null } | undefined

const shownCommits = 20
const shownPaths = 20

/**
 * Compares the place with what was recorded; anything else is shown. Answered, the commit goes to what was shown.
 * `key` is unique in the visit.
 */
export async function settlePlace<State>(
  run: Run<State>,
  git: PlaceGit,
  key: string,
  recorded: WorkPlace,
): Promise<Settled> {
  const { answer, subject } = await run.gate<WorkPlace>(key, () => build(git, recorded))
  return answer.value === 'leave' ? undefined : { head: subject.head, branch: subject.branch }
}

async function build(git: PlaceGit, recorded: WorkPlace): Promise<GateBuild<WorkPlace>> {
  const now = await workPlace(git)
  const lines = await movedLines(git, recorded, now)
  if (lines.length === 0) return { subject: now, settled: 'same' }
  return { subject: now, question: qMoved(lines) }
}

async function movedLines(git: PlaceGit, then: WorkPlace, now: WorkPlace): Promise<string[]> {
  const lines: string[] = []
  if (then.branch !== now.branch)
    lines.push(
      `Branch: it was ${then.branch ?? 'a detached HEAD'}, now it is ${now.branch ?? 'a detached HEAD'}.`,
    )
  let committed: string[] = []
  if (then.head !== now.head) {
    lines.push(`HEAD: it was ${short(then.head)}, now it is ${short(now.head)}.`)
    if (then.head !== null && now.head !== null && (await git.exists(then.head))) {
      lines.push(...listed('Committed since:', await git.log(then.head, now.head)))
      lines.push(...listed('No longer in the history:', await git.log(now.head, then.head)))
      committed = await git.changedFiles(then.head, now.head)
    }
  }
  const here = new Set([...now.dirty.map(({ path }) => path), ...committed])
  const gone = then.dirty.map(({ path }) => path).filter((path) => !here.has(path))
  if (gone.length > 0) lines.push('Changes that are no longer there:', ...some(gone))
  return lines
}

function listed(title: string, commits: readonly LoggedCommit[]): string[] {
  if (commits.length === 0) return []
  const shown = commits.slice(0, shownCommits).map(({ sha, subject }) => `  ${short(sha)} ${subject}`)
  const more = commits.length > shownCommits ? [`  and ${commits.length - shownCommits} more`] : []
  return [title, ...shown, ...more]
}

function some(paths: readonly string[]): string[] {
  const more = paths.length > shownPaths ? [`  and ${paths.length - shownPaths} more`] : []
  return [...paths.slice(0, shownPaths).map((path) => `  ${path}`), ...more]
}

const short = (sha: string | null) => sha?.slice(0, 7) ?? 'no commit'

/** Paths of a list that somebody has staged since the place was recorded. */
export function stagedSince(paths: readonly string[], then: WorkPlace, now: readonly DirtyPath[]): string[] {
  const before = new Set(then.dirty.filter(({ staged }) => staged).map(({ path }) => path))
  const staged = new Set(now.filter(({ staged }) => staged).map(({ path }) => path))
  return paths.filter((path) => staged.has(path) && !before.has(path))
}
