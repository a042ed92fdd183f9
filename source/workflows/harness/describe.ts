import { readPlan } from '../../documents/plan.js'
import { readSpec } from '../../documents/spec.js'
import { readTaskState, taskIdOfKey } from '../../documents/task-state.js'
import { readRegularText } from '../../storage/read-file.js'
import { plainFact } from '../../view/facts.js'
import type { StateSummary } from '../../view/summary.js'
import { badgeFacts } from '../evidence/badges.js'
import type { Place } from '../place.js'
import { sessionFiles } from './artifacts/files.js'
import { letPassLines, overriddenFindings, phaseBadges } from './evidence-lines.js'
import { effectiveComplexity } from './phases.js'
import type { HarnessState } from './state/state.js'

/** What a state of this workflow says to lists. The plans and the executor's record give the tasks. */
export async function describe(
  state: HarnessState,
  { root, place }: { root: string; place: Place },
): Promise<StateSummary> {
  const title = await titleOf(root, state)
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
      ...evidenceOf(state, index),
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
function evidenceOf(state: HarnessState, index: number) {
  const tasks = Object.entries(state.phases[index]?.evidence?.tasks ?? {})
  const passed = [...letPassLines(state, index), ...overriddenFindings(state, index)]
  return {
    ...(tasks.length > 0 ? { tasks: tasks.map(([id, found]) => ({ id, facts: badgeFacts(found) })) } : {}),
    ...(passed.length > 0 ? { letPass: passed } : {}),
  }
}

function phaseOf(state: HarnessState): StateSummary['phase'] {
  const phase = state.phases[state.currentPhase]
  if (!phase) return null
  const number = state.currentPhase + 1
  return { id: String(number), number, name: phase.name, total: state.phases.length }
}

async function progressOf(
  root: string,
  place: Place,
  state: HarnessState,
): Promise<StateSummary['progress']> {
  let tasksComplete = 0
  let tasksTotal = 0
  const progress = await currentProgress(root, place, state)
  for (const [index, phase] of state.phases.entries()) {
    if (phase.planPath === null || phase.status === 'skipped') continue
    const plan = await planText(root, place, phase.approvedPlan, phase.planPath)
    if (plan === undefined) continue
    const { tasks } = readPlan(plan)
    tasksTotal += tasks.length
    if (phase.status === 'complete') tasksComplete += tasks.length
    else if (index === state.currentPhase)
      tasksComplete += tasks.filter((task) => progress.has(task.id)).length
  }
  const phasesComplete = state.phases.filter((phase) => phase.status === 'complete').length
  return { phasesComplete, phasesTotal: state.phases.length, tasksComplete, tasksTotal }
}

/** The plan that counts: the approved text where it was kept, else the file. */
async function planText(
  root: string,
  place: Place,
  approved: string | undefined,
  path: string,
): Promise<string | undefined> {
  const kept = approved === undefined ? [] : [sessionFiles(place.sessionDir).frozen(approved)]
  for (const file of [...kept, path]) {
    const text = await readRegularText(file, { root }).catch(() => undefined)
    if (text !== undefined) return text
  }
  return undefined
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
