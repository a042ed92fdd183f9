import { isAbsolute, join, relative } from 'node:path'
import type { Git } from '../project/git.js'
import type { LiveStore } from '../run/live-store.js'
import { writeDurable } from '../storage/durable-file.js'
import { goOnWith } from '../terminal/width.js'
import { phaseInWork } from '../view/summary.js'
import { timesText } from '../view/times.js'
import { restingPlace } from './archive.js'
import { beginningOf, type Closing, closingFile, closingLines, closingMarkdown } from './closing-page.js'
import type { SessionRun } from './session-run.js'

// What is said at the end of a run: where it is finished, and where it stopped.

/**
 * What the run came to; it stays in the session as a file, too. `opened`: the commit with which this sitting began, for
 * a workflow that goes on as long as its project and knows no beginning of a run.
 */
export async function closingPage<State extends object>(
  session: SessionRun<State>,
  live: LiveStore,
  state: State,
  { git, opened }: { git: Pick<Git, 'log'>; opened: string | null },
): Promise<string[]> {
  const { root, workflow, place, store } = session
  const { reports, view, usage } = live.getSnapshot()
  const since = beginningOf(view) ?? opened ?? undefined
  // Newest first in git; a commit that is gone is no reason to tell nothing.
  const commits = since === undefined ? [] : (await git.log(since).catch(() => [])).toReversed()
  const closing: Closing = {
    title: view.title,
    reports: reports.length > 0 ? reports : workflow.doneReport(state),
    view,
    usage,
    times: timesText(store.digest.times),
    // Without a commit there is nothing to compare where only this sitting is known.
    since: beginningOf(view) ?? (commits.length > 0 ? since : undefined),
    commits,
    sessionDir: await restingPlace(session, state),
  }
  const file = join(root, place.sessionDir, closingFile)
  await writeDurable(file, Buffer.from(closingMarkdown(closing), 'utf8')).catch(() => undefined)
  return closingLines({ ...closing, folder: folderFrom(process.cwd(), root) })
}

/** The way to a project from a directory outside of it. */
export function folderFrom(cwd: string, root: string): string | undefined {
  const inside = relative(root, cwd)
  const isOutside = inside === '..' || inside.startsWith('../') || isAbsolute(inside)
  return isOutside ? relative(cwd, root) : undefined
}

export async function stoppedLines<State extends object>(
  session: SessionRun<State>,
  phaseWord = 'Phase',
): Promise<string[]> {
  const word = phaseWord.toLowerCase()
  const { root, workflow, place, store } = session
  const told = store.state && (await workflow.describe(store.state, { root, place }))
  const { phase } = told ?? {}
  const at =
    told && phase
      ? `in ${told.state}, ${word} ${phaseInWork(phase)}`
      : told
        ? `in ${told.state}`
        : `before the first ${word}`
  return [
    `Stopped ${at}. Everything is saved.`,
    `Time: ${timesText(store.digest.times)}`,
    `Session: ${place.slug}`,
    `${goOnWith}${session.goOn}`,
  ]
}
