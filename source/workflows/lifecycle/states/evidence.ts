import { isOwnFile } from '../opening/own-files.js'
import { type Begun, readBegun } from '../opening/pending-commit.js'
import { type Finding, findings } from '../scan/detect.js'
import { evidenceLines } from '../scan/drift.js'
import type { Listing } from '../scan/listing.js'
import { lostDocuments } from '../scan/lost-documents.js'
import { lostTasks, makesTasks } from '../scan/lost-tasks.js'
import { knownOf } from '../scan/rows.js'
import { recordOf } from '../state/state.js'
import { look, type StepWork } from '../work.js'
import { tasksWithoutWork } from './shown-tasks.js'
import { emptyWords } from './shown-words.js'
import { withoutWork } from './shown-work.js'
import { tasksAt } from './tests.js'

/** Whether the folders show the current step to be done, with what was looked at. */
export async function stepEvidence(work: StepWork): Promise<{ done: boolean; lines: string[] }> {
  const { run, tools, flowName, index } = work
  const known = knownOf(tools.flows, flowName, recordOf(run.state))
  const begun = await readBegun(work)
  const listing = await look(tools, begun?.start ?? undefined)
  const all = findings(tools.flows, flowName, listing, known)
  const found = all[index]
  if (!found) return { done: false, lines: [] }
  const lines = evidenceLines([found])
  if (found.state !== 'done' || found.by !== 'folders') return { done: false, lines }
  const doubts = [
    ...(await worthOf(work, listing, found)),
    ...(await withoutTasks(work, listing)),
    ...lostDocuments(begun?.shown ?? [], all.slice(0, index)),
  ]
  return { done: doubts.length === 0, lines: [...lines, ...doubts] }
}

/** Paths whose content is another one than when a step began. */
async function changedSince({ tools }: StepWork, { start, dirty }: Begun): Promise<string[]> {
  const committed = start && (await tools.git.exists(start)) ? await tools.git.changedFrom(start) : []
  const { mine } = await tools.git.changedSince(dirty)
  return [...new Set([...committed, ...mine])]
}

/** What was found, held against what it is worth: is there anything in it, and was anything done? */
async function worthOf(work: StepWork, listing: Listing, found: Finding): Promise<string[]> {
  const { tools, step } = work
  const { root, git } = tools
  const begun = await readBegun(work)
  const start = begun?.start
  const commit = start && (await git.exists(start)) ? start : null
  const known = new Set(commit === null ? [] : await git.pathsAt(commit))
  const changed = begun ? await changedSince(work, begun) : []
  const all = { root, git, step, listing, known }
  const words = await emptyWords({ ...all, begun, commit, changed: new Set(changed) }, found)
  if (begun?.at === undefined) return words
  const isOwn = (path: string) => isOwnFile(tools, path)
  const tasks = commit === null ? '' : await tasksAt(work, commit)
  const others = changed.filter((path) => !isOwn(path))
  const lacking = await withoutWork({ ...all, begun, commit, changed: others, tasks, isOwn })
  // Where nothing was done at all, no task has to be named.
  if (lacking.length > 0 || commit === null || begun.tasks === undefined) return [...words, ...lacking]
  const claimed = { root, git, listing, start: commit, since: begun.at, changed: others, said: tasks }
  return [...words, ...(await tasksWithoutWork({ ...claimed, tasks: begun.tasks.files }))]
}

/** Tasks that were there when the step began, and are lost; a step that makes the table may make others of them. */
async function withoutTasks(work: StepWork, listing: Listing): Promise<string[]> {
  const begun = await readBegun(work)
  return begun?.tasks === undefined || makesTasks(work.step.done) ? [] : lostTasks(begun.tasks, listing)
}
