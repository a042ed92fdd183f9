import { counted } from '../../../counted.js'
import { saysSomething } from '../../../documents/says-something.js'
import { readText } from '../../../project/text-files.js'
import { matchesGlob } from '../flow/patterns.js'
import { isOwnFile } from '../opening/own-files.js'
import { readBegun } from '../opening/pending-commit.js'
import { findings } from '../scan/detect.js'
import type { Looked } from '../scan/detectors.js'
import { evidenceLines } from '../scan/drift.js'
import type { Listing } from '../scan/listing.js'
import { lostDocuments } from '../scan/lost-documents.js'
import { lostTasks, makesTasks } from '../scan/lost-tasks.js'
import { knownOf } from '../scan/rows.js'
import { recordOf } from '../state/state.js'
import { look, type StepWork } from '../work.js'
import { testsCode } from './tests.js'

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
    ...(await bare(work, listing, found.looked)),
    ...(await withoutWork(work, listing)),
    ...(await withoutTasks(work, listing)),
    ...lostDocuments(begun?.shown ?? [], all.slice(0, index)),
  ]
  return { done: doubts.length === 0, lines: [...lines, ...doubts] }
}

const mostRead = 50

/** Documents that were found, and have nothing in them but headings. */
async function bare({ tools }: StepWork, { docs }: Listing, looked: readonly Looked[]): Promise<string[]> {
  const doubts: string[] = []
  for (const { path, found } of looked) {
    const files = docs
      .filter(({ path: file }) => /\.md$/i.test(file) && matchesGlob(path, file))
      .slice(0, mostRead)
    if (!found || files.length === 0) continue
    const texts = await Promise.all(files.map(async (file) => (await readText(tools, file.path)) ?? ''))
    if (!texts.some(saysSomething))
      doubts.push(`${path} has nothing in it but headings or places for what is to come.`)
  }
  return doubts
}

/** Milliseconds by which times of files may be behind the clock. */
const clockLag = 20

const isTask = /^_docs\/02_tasks\/done\/[^/]+\.md$/i

/** What has changed since the step began, as far as it takes to see whether there was any work. */
async function withoutWork(work: StepWork, { docs }: Listing): Promise<string[]> {
  const { tools, step } = work
  const begun = await readBegun(work)
  if (begun?.at === undefined) return []
  const { at, start } = begun
  const committed = start && (await tools.git.exists(start)) ? await tools.git.changedFrom(start) : []
  const dirty = (await tools.git.changedSince(begun.dirty)).mine
  const changed = [...new Set([...committed, ...dirty])].filter((path) => !isOwnFile(tools, path))
  const written = docs.some(({ path, mtime }) => mtime >= at - clockLag && !isOwnFile(tools, path))
  if (changed.length === 0 && !written) return ['Nothing was changed since the step began.']
  if (!changed.every((path) => path.startsWith('_docs/'))) return []
  const moved = changed.filter((path) => isTask.test(path)).length
  if (moved > 0)
    return [
      `${counted(moved, 'task was', 'tasks were')} moved to done/, and nothing outside of _docs/ has changed.`,
    ]
  return testsCode(step) ? ['The step is to change code, and nothing outside of _docs/ has changed.'] : []
}

/** Tasks that were there when the step began, and are lost; a step that makes the table may make others of them. */
async function withoutTasks(work: StepWork, listing: Listing): Promise<string[]> {
  const begun = await readBegun(work)
  return begun?.tasks === undefined || makesTasks(work.step.done) ? [] : lostTasks(begun.tasks, listing)
}
