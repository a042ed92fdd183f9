import type { DatedCommit, Git } from '../project/git.js'
import type { LiveStore } from '../run/live-store.js'
import { isWorking } from '../view/panes.js'
import type { RunSnapshot, TimelineEntry } from '../view/view.js'
import { beginningOf } from './closing-page.js'

// Agents commit by themselves and nobody records it: what they have committed is read from git, for the timeline alone.

/** So many commits are read at a time; the closing page counts all of them. */
const mostRead = 200

const shortLength = 7

export interface CommitsParts {
  git: Pick<Git, 'commitTimes'>
  live: LiveStore
  /** The commit with which this sitting began; null in a repository without any. */
  opened: string | null
  /** Takes secrets out. */
  hide(text: string): string
}

/** Entries of autopilot's own commits name them by their short id as well. */
function isTold({ timeline }: RunSnapshot, { sha }: DatedCommit): boolean {
  const short = `(${sha.slice(0, shortLength)})`
  return timeline.some(({ kind, text }) => kind === 'commit' && text.endsWith(short))
}

function entriesOf(commits: readonly DatedCommit[], { live, hide }: CommitsParts): TimelineEntry[] {
  return commits
    .filter((commit) => !isTold(live.getSnapshot(), commit))
    .map(({ sha, subject, at }) => ({
      at,
      kind: 'commit',
      text: hide(`${subject} (${sha.slice(0, shortLength)})`),
    }))
}

/** Entries in the order of their times; each list is in order already, and what has the same time keeps its place. */
function merged(timeline: readonly TimelineEntry[], more: readonly TimelineEntry[]): TimelineEntry[] {
  const all = [...timeline]
  for (const entry of more) {
    const behind = all.findLastIndex(({ at }) => at <= entry.at)
    all.splice(behind + 1, 0, entry)
  }
  return all
}

/** How many agents have ended; it grows with each of them. */
function endedIn({ panes }: RunSnapshot): string {
  return panes
    .filter((pane) => !isWorking(pane))
    .map(({ id }) => id)
    .join(' ')
}

/** Tells what was committed before this sitting, and behind each agent what it has committed, until it is called. */
export function tellCommits(parts: CommitsParts): () => void {
  const { git, live, opened } = parts
  if (opened === null) return () => undefined
  let head = opened
  let ended = endedIn(live.getSnapshot())
  let over = false
  let reading: Promise<void> = before()

  /** What cannot be read is not told: the run does not depend on it. */
  async function read(from: string): Promise<DatedCommit[]> {
    return await git.commitTimes(from, mostRead).catch(() => [])
  }

  async function before(): Promise<void> {
    const since = beginningOf(live.getSnapshot().view)
    if (since === undefined) return
    const entries = entriesOf(await read(since), parts)
    if (!over && entries.length > 0) live.patch({ timeline: merged(live.getSnapshot().timeline, entries) })
  }

  async function after(): Promise<void> {
    const commits = await read(head)
    head = commits.at(-1)?.sha ?? head
    if (over) return
    for (const entry of entriesOf(commits, parts)) live.tell(entry)
  }

  const unsubscribe = live.subscribe(() => {
    const now = endedIn(live.getSnapshot())
    if (now === ended) return
    ended = now
    reading = reading.then(after)
  })
  return () => {
    over = true
    unsubscribe()
  }
}
