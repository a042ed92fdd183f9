import { resolve } from 'node:path'
import { readPlan } from '../../documents/plan.js'
import { readSpec } from '../../documents/spec.js'
import { readTaskState, taskIdOfKey } from '../../documents/task-state.js'
import { type FileStamp, sameStamp, stampAt } from '../../storage/durable-file.js'
import { readRegularText } from '../../storage/read-file.js'
import { plainFact } from '../../view/facts.js'
import type { StateSummary } from '../../view/summary.js'
import { badgeFacts } from '../evidence/badges.js'
import type { Place } from '../place.js'
import { sessionFiles } from './artifacts/files.js'
import { passedByPhase, phaseBadges } from './evidence-lines.js'
import { effectiveComplexity, phaseMark } from './phases.js'
import type { HarnessState, Phase } from './state/state.js'

/** What a state of this workflow says to lists. The plans and the executor's record give the tasks. */
export async function describe(
  state: HarnessState,
  { root, place }: { root: string; place: Place },
): Promise<StateSummary> {
  const title = await titleOf(root, state)
  const passed = passedByPhase(state)
  return {
    subject: state.specPath,
    ...(title === undefined ? {} : { title }),
    state: state.currentState,
    phase: phaseOf(state),
    progress: await progressOf(root, place, state),
    facts: [plainFact(state.rigorLevel)],
    rigor: state.rigorLevel,
    phases: state.phases.map((phase, index) => ({
      id: String(index + 1),
      number: index + 1,
      name: phase.name,
      status: phase.status,
      facts: badgeFacts(phaseBadges(phase)),
      ...evidenceOf(phase, passed.get(index)),
      complexity: effectiveComplexity(phase),
    })),
  }
}

/** What the spec calls itself; undefined where it is gone, or says nothing. */
async function titleOf(root: string, { specPath }: HarnessState): Promise<string | undefined> {
  const spec = await readRegularText(specPath, { root }).catch(() => undefined)
  return spec === undefined ? undefined : readSpec(spec).title
}

/** What is known of each task, and what a person let pass; absent where there is nothing of it. */
function evidenceOf({ evidence }: Phase, passed: string[] = []) {
  const tasks = Object.entries(evidence?.tasks ?? {})
  return {
    ...(tasks.length > 0 ? { tasks: tasks.map(([id, found]) => ({ id, facts: badgeFacts(found) })) } : {}),
    ...(passed.length > 0 ? { letPass: passed } : {}),
  }
}

function phaseOf(state: HarnessState): StateSummary['phase'] {
  const phase = state.phases[state.currentPhase]
  if (!phase) return null
  const number = state.currentPhase + 1
  const label = phaseMark(phase, state.currentPhase)
  return {
    id: String(number),
    number,
    ...(label === String(number) ? {} : { label }),
    name: phase.name,
    total: state.phases.length,
  }
}

async function progressOf(
  root: string,
  place: Place,
  state: HarnessState,
): Promise<StateSummary['progress']> {
  const progress = await currentProgress(root, place, state)
  const counted = await Promise.all(
    state.phases.map(async (phase, index): Promise<[complete: number, total: number]> => {
      if (phase.planPath === null || phase.status === 'skipped') return [0, 0]
      const ids = await planTasks(root, place, phase)
      if (phase.status === 'complete') return [ids.length, ids.length]
      const isCurrent = index === state.currentPhase
      return [isCurrent ? ids.filter((id) => progress.has(id)).length : 0, ids.length]
    }),
  )
  const sum = (at: 0 | 1) => counted.reduce((total, one) => total + one[at], 0)
  const phasesComplete = state.phases.filter((phase) => phase.status === 'complete').length
  return { phasesComplete, phasesTotal: state.phases.length, tasksComplete: sum(0), tasksTotal: sum(1) }
}

/** Ids of the tasks in the plan that counts: the approved text where it was kept, else the file. */
async function planTasks(root: string, place: Place, phase: Phase): Promise<readonly string[]> {
  const { approvedPlan, planPath } = phase
  const kept = approvedPlan === undefined ? [] : [sessionFiles(place.sessionDir).frozen(approvedPlan)]
  for (const file of [...kept, ...(planPath === null ? [] : [planPath])]) {
    const ids = await taskIdsIn(root, file).catch(() => undefined)
    if (ids) return ids
  }
  return []
}

/** By absolute path: while a session goes on it is described again and again, and most of its plans stay as they are. */
const known = new Map<string, { stamp: FileStamp; ids: readonly string[] }>()
const mostKnown = 1000

/** Undefined where no file is. Problem for one that cannot be read. */
async function taskIdsIn(root: string, path: string): Promise<readonly string[] | undefined> {
  const full = resolve(root, path)
  const stamp = await stampAt(full)
  const before = known.get(full)
  if (before && sameStamp(before.stamp, stamp)) return before.ids
  const text = await readRegularText(path, { root })
  if (text === undefined) return undefined
  const ids = readPlan(text).tasks.map((task) => task.id)
  if (known.size >= mostKnown) known.clear()
  if (stamp && sameStamp(stamp, await stampAt(full))) known.set(full, { stamp, ids })
  return ids
}

async function currentProgress(root: string, place: Place, state: HarnessState): Promise<Set<string>> {
  const text = await readRegularText(`${place.sessionDir}/state.json`, { root }).catch(() => undefined)
  if (text === undefined) return new Set()
  const read = readTaskState(text)
  const entries = 'state' in read ? Object.entries(read.state?.progress ?? {}) : []
  return new Set(
    entries.flatMap(([key, value]) =>
      value === 'complete' ? (taskIdOfKey(key, state.currentPhase + 1) ?? []) : [],
    ),
  )
}
