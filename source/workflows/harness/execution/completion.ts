import { counted } from '../../../counted.js'
import { saysNothing } from '../../../documents/says-something.js'
import { type JudgedTask, judgeTask } from '../../evidence/claims/tasks.js'
import { otherLists } from '../../evidence/claims/verdict.js'
import { workSeen } from '../../evidence/claims/work-seen.js'
import { gitEvidence } from '../../evidence/git-evidence.js'
import { qContradiction, qUnproven } from '../../evidence/questions.js'
import { writeSkillHandoff } from '../artifacts/handoff.js'
import { writeProgress } from '../artifacts/task-state.js'
import { earlierPhaseDoubts } from '../claims.js'
import type { ExecutionResult } from '../results.js'
import { withDecision } from '../state/decisions.js'
import type { PhaseWork } from '../work.js'
import { phaseBaseline } from './commit-phase.js'
import { isRecord, type RoundSeen } from './look.js'
import { type ExecutorOrder, orderAgain, type Round } from './orders.js'
import type { PlanWork } from './plan-work.js'
import { planTaskId, unknownTasks } from './task-ids.js'

// Is the phase finished, as the executor says? Its result, state.json and its handoff have to agree, and git has to show
// each task (docs/harness.md, "Execution"; docs/evidence.md, "Claims").

export interface Doubt {
  /** Of the task that it is about. */
  id?: string | undefined
  text: string
  /** It is about the repository: no agent can settle it. */
  moved?: boolean | undefined
}

/** A contradiction between the records is a question. Returns the order that follows, if it is not settled. */
export async function settleContradiction(
  work: PlanWork,
  round: Round,
  seen: RoundSeen,
): Promise<ExecutorOrder | undefined> {
  const doubts = recordDoubts(work, round, seen)
  if (doubts.length === 0) return undefined
  const title = `${work.phase.label}: complete, but the records say otherwise`
  const texts = doubts.map(({ text }) => text)
  const answer = await work.run.ask(`contradiction-${round.number}`, qContradiction(title, texts))
  return openAgain(work, round, doubts, answer.text)
}

function recordDoubts(work: PlanWork, round: Round, seen: RoundSeen): Doubt[] {
  const fixing = round.order.kind === 'fix'
  const said = seen.handoff.kind === 'own' && !fixing ? seen.handoff.handoff : undefined
  return [
    ...(fixing ? [] : taskDoubts(work, round, seen)),
    ...unknownTasks(round.result.completed, work.tasks).map((name) => ({
      text: `The result calls ${name} complete, and the approved plan has no such task.`,
    })),
    ...(fixing ? [] : otherListDoubts(work, round)),
    ...named(seen.openBlockers).map((blocker) => ({ text: `Open blocker in state.json: ${blocker}` })),
    ...named(said?.pending).map((pending) => ({ text: `The handoff still lists as pending: ${pending}` })),
    ...named(said?.blockers).map((blocker) => ({ text: `The handoff names a blocker: ${blocker}` })),
  ]
}

/** A list of the result beside `completed` that names a task of the plan as one that is still open. */
function otherListDoubts({ tasks }: PlanWork, { result }: Round): Doubt[] {
  return otherLists(result).flatMap((entry) => {
    const id = planTaskId(entry.slice(entry.indexOf(': ') + 2), tasks)
    return id === undefined ? [] : [{ id, text: `The result is complete, and it lists ${entry}` }]
  })
}

/** Without entries that say that there are none. */
const named = (list: readonly string[] = []) => list.filter((text) => !saysNothing(text))

/** Tasks that are not reported complete, or that state.json has otherwise although the executor wrote it. */
function taskDoubts(work: PlanWork, round: Round, seen: RoundSeen): Doubt[] {
  const wrote = JSON.stringify(seen.progress) !== round.before.progress
  return work.tasks.flatMap(({ id, title }) => {
    const recorded = seen.progress[id]
    if (!work.done.has(id)) return [{ id, text: `Task ${id} (${title}) is not reported complete.` }]
    if (seen.reopened.includes(id))
      return [
        { id, text: `Task ${id} (${title}) was complete in state.json and is ${recorded ?? 'gone'} now.` },
      ]
    if (!wrote || recorded === undefined || recorded === 'complete') return []
    return [{ id, text: `Task ${id} (${title}) is reported complete, state.json says ${recorded}.` }]
  })
}

/** The doubted tasks are open again, and the agent is told what was doubted. */
export async function openAgain(
  work: PlanWork,
  round: Round,
  doubts: readonly Doubt[],
  said: string | undefined,
): Promise<ExecutorOrder> {
  const ids = doubts.flatMap(({ id }) => (id === undefined ? [] : [id]))
  for (const id of ids) work.done.delete(id)
  if (ids.length > 0) {
    await work.run.step(`reopened-${round.number}`, () => writeProgress(work.tools, ids, 'pending'))
  }
  return orderAgain(
    round.order,
    doubts.map(({ text }) => text),
    said,
  )
}

/** What git shows of the work; where it shows none, the person decides. Returns the order that follows, if any. */
export async function settleUnproven(
  work: PlanWork,
  round: Round,
): Promise<{ order?: ExecutorOrder; judged: JudgedTask[] }> {
  const { run, phase } = work
  const { doubts, uncommitted, judged } = await run.step(`evidence-${round.number}`, () =>
    evidence(work, round),
  )
  if (uncommitted.length > 0) {
    const names = uncommitted.slice(0, 5).join(', ')
    const text = `${counted(uncommitted.length, 'changed file is', 'changed files are')} in no commit: ${names}`
    await run.note(`uncommitted-${round.number}`, text, 'warning')
  }
  const open = doubts.filter(({ text }) => !isAccepted(work, text))
  if (open.length === 0) return { judged }
  const texts = open.map(({ text }) => text)
  const named = open.flatMap(({ id }) => (id === undefined ? [] : [`Task ${id}`]))
  const opened =
    named.length > 0
      ? `open ${named.join(', ')} again and tell the agent what was doubted`
      : 'send the agent again and tell it what was doubted'
  const helps = open.some(({ moved }) => moved !== true)
  const answer = await run.ask(`unproven-${round.number}`, qUnproven(phase.label, texts, opened, helps))
  if (answer.value !== 'accept') return { order: await openAgain(work, round, open, answer.text), judged }
  await recordAccepted(work, `accepted-${round.number}`, 'accepted_unproven', texts)
  await run.note(
    `accepted-${round.number}`,
    `${phase.label}: accepted unproven: ${texts.join(' ')}`,
    'warning',
  )
  return { judged: judged.map(({ id, badge }) => ({ id, badge })) }
}

/** Puts on record what the person accepted, line by line, so that the same is not asked again. */
export async function recordAccepted(
  { run, tools, phase }: PhaseWork,
  key: string,
  decision: string,
  lines: string[],
): Promise<void> {
  await run.update(key, (state) =>
    withDecision(state, {
      phase: phase.index,
      decision,
      timestamp: tools.now().toISOString(),
      rationale: lines.join(' '),
      lines,
    }),
  )
}

/** The person has accepted exactly this before, in this phase. */
export function isAccepted({ run, phase }: PhaseWork, line: string): boolean {
  return run.state.decisions.some((entry) => {
    const known = entry as { phase?: unknown; lines?: unknown } | null
    return known?.phase === phase.index && Array.isArray(known.lines) && known.lines.includes(line)
  })
}

async function evidence(
  work: PlanWork,
  round: Round,
): Promise<{ doubts: Doubt[]; uncommitted: string[]; judged: JudgedTask[] }> {
  const { tools, phase, run } = work
  const { startCommit } = phase.record
  const { doubts, moved, uncommitted, idle } = await gitEvidence(tools.git, {
    baseline: await phaseBaseline(tools, run.state, phase.index),
    ...(startCommit === undefined ? {} : { startCommit }),
    isRecord: isRecord(work),
  })
  const judged = await judgedTasks(work, round)
  const all = idle
    ? work.tasks.map(({ id, title }) => ({ id, text: `Task ${id} (${title}): nothing shows it.` }))
    : []
  const tasks = idle
    ? all
    : judged.flatMap(({ id, doubt }) => (doubt === undefined ? [] : [{ id, text: doubt }]))
  const fallen = await earlierPhaseDoubts(work)
  return {
    doubts: [
      ...doubts.map((text) => ({ text, moved: moved.includes(text) })),
      ...tasks,
      ...fallen.map((text) => ({ text })),
    ],
    uncommitted,
    judged,
  }
}

async function judgedTasks(work: PlanWork, round: Round): Promise<JudgedTask[]> {
  const { tools, phase, tasks } = work
  const { startCommit } = phase.record
  if (startCommit === undefined || !(await tools.git.exists(startCommit)))
    return tasks.map(({ id }) => ({ id, badge: 'claimed' }))
  const changed = await tools.git.changedFrom(startCommit)
  const touched = new Set(changed.filter((path) => !isRecord(work)(path)))
  const since = Date.parse(phase.record.startedAt ?? '')
  const { git, root } = tools
  const begun = { git, root, start: startCommit, since, plan: work.plan, touched }
  const seen = await workSeen(begun, tasks)
  return tasks.map((task, at) => {
    const text = textOf(work.plan, task.line, tasks[at + 1]?.line)
    const judged = judgeTask({ ...task, text }, seen, tasks)
    const ran = (task.files ?? []).length === 0 && (round.commands ?? 0) > 0
    return ran ? { ...judged, badge: 'shown' } : judged
  })
}

/** What a plan says between two lines, the second one not included; both 1-based. */
const textOf = (plan: string, from: number, to: number | undefined) =>
  plan
    .split('\n')
    .slice(from - 1, to === undefined ? undefined : to - 1)
    .join('\n')

/** Records that the executor did not write are written from what was found. */
export async function writeRecords(work: PlanWork, round: Round, seen: RoundSeen): Promise<void> {
  const { run, tools, tasks } = work
  await run.step(`records-${round.number}`, async () => {
    if (round.order.kind !== 'fix') {
      await writeProgress(
        tools,
        tasks.map((task) => task.id),
      )
    }
    if (seen.handoff.kind !== 'own') await writeExecutionHandoff(work, round.result)
  })
}

function writeExecutionHandoff(work: PlanWork, result: ExecutionResult): Promise<void> {
  const { tools, phase } = work
  return writeSkillHandoff(tools, {
    timestamp: tools.now().toISOString(),
    fromSkill: 'harness-execution',
    phase: 'COMPLETE',
    summary: `${phase.label}: executed`,
    completed: result.completed,
    pending: [],
    concerns: [],
    decisions: [],
    blockers: [],
    contextKeywords: [],
    planPath: phase.record.planPath ?? work.planPath,
  })
}
