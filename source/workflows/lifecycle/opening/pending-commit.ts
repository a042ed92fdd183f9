import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readText, writeText } from '../../../project/text-files.js'
import { type Baseline, baselineOfFile, exportBaseline, takeBaseline } from '../../commits/baseline.js'
import type { TestRun } from '../../evidence/claims/test-run.js'
import { findings } from '../scan/detect.js'
import { type ShownBegun, shownIn } from '../scan/lost-documents.js'
import { type TasksBegun, tasksIn } from '../scan/lost-tasks.js'
import { knownOf } from '../scan/rows.js'
import { recordOf } from '../state/state.js'
import type { LifecycleTools } from '../tools.js'
import { type LifecycleWork, look, type StepWork } from '../work.js'
import { isOwnFile } from './own-files.js'

// One commit for each step that is completed or skipped (docs/lifecycle.md, "Commits"). The row is written first, so
// that the commit holds the state file: what is to be committed is noted before the row, and done at the next entry.

export const baselinePath = ({ place }: Pick<LifecycleTools, 'place'>) => `${place.sessionDir}/baseline.json`
const pendingPath = ({ place }: Pick<LifecycleTools, 'place'>) => `${place.sessionDir}/commit.json`

/** What a step began with. */
export interface Begun extends Baseline {
  step: string
  /** The commit of that time; null in a repository without one. */
  start?: string | null
  /** Epoch milliseconds. */
  at?: number
  /** Our run of the tests before it, where the step changes code; null where there is no test command. */
  tests?: TestRun | null
  /** The tasks of that time. */
  tasks?: TasksBegun
  /** What lay in the folders of that time and showed earlier steps to be done. */
  shown?: ShownBegun[]
}

/**
 * What is uncommitted when a step begins; the state file and the ignore files of ours belong to the step. A step that is
 * taken up again keeps what it began with: what it has left since is its own.
 */
export async function beginStep({ run, tools, flowName, step, index }: StepWork): Promise<void> {
  const name = `${flowName} ${step.id}`
  if ((await begunOf(tools))?.step === name) return
  const baseline = await takeBaseline(tools)
  const dirty = baseline.dirty.filter((entry) => !isOwnFile(tools, entry.path))
  const listing = await look(tools)
  const known = knownOf(tools.flows, flowName, recordOf(run.state))
  const begun: Begun = {
    ...baseline,
    dirty,
    step: name,
    start: await tools.git.head(),
    at: tools.now().getTime(),
    tasks: tasksIn(listing),
    shown: shownIn(findings(tools.flows, flowName, listing, known).slice(0, index)),
  }
  await exportBaseline(tools, baselinePath(tools), begun)
}

async function begunOf(tools: LifecycleTools): Promise<Begun | undefined> {
  const text = await readText(tools, baselinePath(tools))
  try {
    const value = JSON.parse(text ?? '') as Begun
    return typeof value.step === 'string' && Array.isArray(value.dirty) ? value : undefined
  } catch {
    return undefined
  }
}

/** What the current step began with; undefined where nothing of it is known. */
export async function readBegun({ tools, flowName, step }: StepWork): Promise<Begun | undefined> {
  const begun = await begunOf(tools)
  return begun?.step === `${flowName} ${step.id}` ? begun : undefined
}

/** Keeps what the tests came to before the step. */
export async function beginTests(work: StepWork, tests: TestRun | null): Promise<void> {
  const begun = await readBegun(work)
  if (begun) await exportBaseline(work.tools, baselinePath(work.tools), { ...begun, tests } as Begun)
}

/** What the person decided about paths that were uncommitted before. */
export async function rememberChoice(
  { tools }: LifecycleWork,
  paths: readonly string[],
  choice: 'include' | 'leave',
): Promise<void> {
  const baseline = await baselineOfFile(tools, baselinePath(tools))
  for (const path of paths) baseline.decided[path] = choice
  await exportBaseline(tools, baselinePath(tools), baseline)
}

export async function notePending({ tools }: LifecycleWork, message: string): Promise<void> {
  await writeText(tools, pendingPath(tools), `${JSON.stringify({ message })}\n`)
}

export async function readPending({ tools }: LifecycleWork): Promise<{ message: string } | null> {
  const text = await readText(tools, pendingPath(tools))
  try {
    const value = JSON.parse(text ?? '') as { message?: unknown }
    return typeof value.message === 'string' ? { message: value.message } : null
  } catch {
    return null
  }
}

export async function clearPending({ tools }: LifecycleWork): Promise<void> {
  for (const path of [pendingPath(tools), baselinePath(tools)])
    await rm(join(tools.root, path), { force: true })
}
