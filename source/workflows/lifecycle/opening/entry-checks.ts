import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readText } from '../../../project/text-files.js'
import type { Answer, QuestionDraft } from '../../../view/question.js'
import { baselineOfFile } from '../../commits/baseline.js'
import { commitChanges } from '../../commits/checkpoint-commit.js'
import { docsDir, type Flow, type FlowStep } from '../flow/flow.js'
import { tasksOfStep } from '../orders/step-tasks.js'
import { qDrift, qFlow, qTwoFiles } from '../questions/position.js'
import type { Position } from '../scan/detect.js'
import { compare, evidenceLines, positionText } from '../scan/drift.js'
import { decided, movedTo } from '../state/changes.js'
import { type LifecycleState, recordOf } from '../state/state.js'
import { summaryLines } from '../summary.js'
import { clock, type Leave, type LifecycleWork, look } from '../work.js'
import { prepareFiles } from './own-files.js'
import { baselinePath, clearPending, readPending, rememberChoice } from './pending-commit.js'

// What every state begins with (docs/lifecycle.md, "On entry").

/**
 * Commits what a finished step has left, asks about flow files and drift, and shows where the project stands. Returns
 * where to go instead, if the person decided so.
 */
export async function enter(
  work: LifecycleWork,
  state: LifecycleState,
  { withDrift = true }: { withDrift?: boolean } = {},
): Promise<Leave | undefined> {
  await work.run.step('own-files', () => prepareFiles(work.tools))
  await commitPending(work)
  await settleFlows(work, state)
  // What the step before has shown is over; what is to be done in this one is there before its worker tells of it.
  const ahead = stepOf(recordOf(state), work)
  work.run.tasks(ahead ? await tasksOfStep(work.tools, ahead, state.text) : [])
  work.run.report(summaryLines(work.run.state, work.tools.flows, work.tools.place.stateFile))
  await settleTwoFiles(work, state)
  // A merge that began under one of these questions is asked about first.
  const isMerging = await work.run.step('merging', () => recordOf(work.run.state).conflicts.length > 0)
  if (isMerging) return unchanged
  // Where the file does not say where it stands, there is nothing to compare.
  return withDrift ? settleDrift(work, state) : undefined
}

/** The step that the file names; undefined where the flow has none of that kind. */
function stepOf({ current }: ReturnType<typeof recordOf>, { tools }: LifecycleWork): FlowStep | undefined {
  return tools.flows.flows[current.flow]?.steps.find(({ id }) => id === String(current.step))
}

/** Where the file is now is where the work goes on. */
const unchanged: Leave = { change: (latest) => latest }

async function commitPending(work: LifecycleWork): Promise<void> {
  const { run, tools } = work
  const pending = await run.step('commit-pending', () => readPending(work))
  if (pending === null) return
  await commitChanges(run, tools, {
    key: 'commit',
    message: pending.message,
    baseline: () => baselineOfFile(tools, baselinePath(tools)),
    decide: (key, paths, choice) =>
      run.step(key, () => rememberChoice(work, paths, choice)).then(() => undefined),
    leaveOut: [],
  })
  await run.step('commit-done', () => clearPending(work))
}

/** Each broken file is asked about once; the answer holds until it changes. */
export async function settleFlows(
  { run, tools }: LifecycleWork,
  state: LifecycleState | undefined,
): Promise<void> {
  for (const { path, lines } of tools.broken) {
    const hash = createHash('sha256')
      .update(`${path}\n${lines.join('\n')}`)
      .digest('hex')
      .slice(0, 12)
    if (state && recordOf(state).decisions.some((line) => line.includes(` Q-FLOW: built-in (${hash})`)))
      continue
    await run.ask(`flow-${hash}`, qFlow(path, lines))
    if (!state) continue
    const at = await run.step(`flow-${hash}-time`, () => tools.now().toISOString())
    await run.update(`flow-${hash}`, (latest) => ({
      text: decided(latest.text, at, 'Q-FLOW', `built-in (${hash}) in place of ${path}`),
    }))
  }
}

/** Other files that look as if they were the state file too. */
export async function otherStateFiles(root: string, used: string): Promise<string[]> {
  const places = [docsDir, '.']
  const found = await Promise.all(
    places.map(async (folder) =>
      (await readdir(join(root, folder)).catch(() => [] as string[])).flatMap((name) => {
        const path = folder === '.' ? name : `${folder}/${name}`
        return /auto(?:pilot|dev)[_-]state.*\.md$/i.test(name) && path !== used ? [path] : []
      }),
    ),
  )
  return found.flat().sort()
}

async function settleTwoFiles(work: LifecycleWork, state: LifecycleState): Promise<void> {
  const { run, tools } = work
  const { stateFile } = tools.place
  const others = await run.step('other-files', () => otherStateFiles(tools.root, stateFile))
  const known = recordOf(state).decisions
  const fresh = others.filter((path) => !known.some((line) => line.includes(` Q-DRIFT: ${path} is not used`)))
  if (fresh.length === 0) return
  await run.ask('other-files', qTwoFiles([stateFile, ...fresh], stateFile))
  const at = await clock(work, 'other-files')
  await run.update('other-files', (latest) => ({
    text: fresh.reduce((text, path) => decided(text, at, 'Q-DRIFT', `${path} is not used`), latest.text),
  }))
}

interface Drift {
  kind: 'later' | 'earlier'
  file: string
  folders: string
  to: Position
  /** What was looked at: of the steps in which the two differ, and of all. */
  differing: string[]
  lines: string[]
  passed: string[]
}

async function readDrift({ tools }: LifecycleWork, state: LifecycleState): Promise<Drift | null> {
  const record = recordOf(state)
  const { file, folders, drift, findings } = compare(tools.flows, record, await look(tools))
  if (!file || !folders || !drift || record.current.status === 'failed' || record.conflicts.length > 0)
    return null
  const flow = tools.flows.flows[file.flow]
  return {
    kind: drift,
    file: positionText(tools.flows, file),
    folders: positionText(tools.flows, folders),
    to: folders,
    differing: evidenceLines(
      drift === 'earlier'
        ? findings.slice(folders.index, folders.index + 1)
        : findings.slice(file.index, folders.index),
    ),
    lines: evidenceLines(findings),
    passed: flow ? passedOver(flow, file.index, folders.index) : [],
  }
}

function passedOver(flow: Flow, from: number, to: number): string[] {
  return flow.steps.slice(from, to).map((step) => `${step.id} ${step.name}`)
}

/** Kept as it was decided once; the same difference is not asked about again. */
const keptLine = (file: string, folders: string) => `state file (${file}; folders: ${folders})`

/** A step that has begun meanwhile makes no other difference. */
const withoutStatus = (line: string) => line.replace(/, (?:not_started|in_progress)(?=[;)])/g, '')

/** A difference that nobody has decided about. */
async function openDrift(work: LifecycleWork, state: LifecycleState): Promise<Drift | null> {
  const found = await readDrift(work, state)
  if (found === null) return null
  const kept = withoutStatus(` Q-DRIFT: ${keptLine(found.file, found.folders)}`)
  return recordOf(state).decisions.some((line) => withoutStatus(line).endsWith(kept)) ? null : found
}

/**
 * A question before any work of a step. The folders may change as long as it is open, also between two runs: where they
 * disagree with the file then, nothing is answered, and the state that begins anew asks about that first.
 */
export async function askInStep(
  work: LifecycleWork,
  key: string,
  build: () => Promise<QuestionDraft> | QuestionDraft,
): Promise<Answer | 'drift'> {
  const { answer } = await work.run.gate(key, async () =>
    (await openDrift(work, work.run.state))
      ? { subject: null, settled: 'drift' }
      : { subject: null, question: await build() },
  )
  return answer.value === 'drift' ? 'drift' : answer
}

/**
 * State file against folders: the person chooses, and the choice is on record. What was shown last is what counts; where the
 * file does not say any more what it was held against, nothing was decided, and the state begins anew.
 */
async function settleDrift(work: LifecycleWork, state: LifecycleState): Promise<Leave | undefined> {
  const { run, tools } = work
  if ((await run.step('drift', () => openDrift(work, state))) === null) return undefined
  const { answer, subject: found } = await run.gate('drift', async () => {
    const now = await openDrift(work, run.state)
    return now === null ? { subject: null, settled: 'gone' } : { subject: now, question: driftQuestion(now) }
  })
  const isMoved = await run.step('drift-moved', () => found === null || isOtherwise(run.state, state))
  if (answer.value === 'gone' || found === null || isMoved) return unchanged
  const at = await clock(work, 'drift')
  if (answer.value === 'folders')
    return {
      change: (latest) =>
        isOtherwise(latest, state)
          ? latest
          : {
              text: decided(
                movedTo(latest.text, tools.flows, found.to as Position, at),
                at,
                'Q-DRIFT',
                `folders (${found.folders}; file: ${found.file})`,
              ),
            },
    }
  const kept = keptLine(found.file, found.folders)
  await run.update('drift-kept', ({ text }) => ({ text: decided(text, at, 'Q-DRIFT', kept) }))
  return undefined
}

/** Somebody has moved the file, or it is in the middle of a merge, since it was read. */
function isOtherwise(now: LifecycleState, before: LifecycleState): boolean {
  const [one, other] = [recordOf(now), recordOf(before)]
  return one.conflicts.length > 0 || JSON.stringify(one.current) !== JSON.stringify(other.current)
}

function driftQuestion(now: Drift): QuestionDraft {
  const passed = now.passed.length === 0 ? '' : `; a row "found in folders" for ${now.passed.join(', ')}`
  return qDrift({
    file: now.file,
    folders: now.folders,
    differing: now.differing,
    evidence: now.lines,
    effects: {
      folders: `the file moves to ${now.folders}${passed}`,
      file: `stay at ${now.file}; what lies in the folders stays as it is`,
    },
  })
}

/** True where a project file is there and is no folder. */
export async function isProjectFile(work: LifecycleWork, path: string): Promise<boolean> {
  if (path.startsWith('/') || path.split(/[/\\]/).includes('..')) return false
  return (await readText(work.tools, path).catch(() => undefined)) !== undefined
}
