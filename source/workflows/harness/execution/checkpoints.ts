import { type PlanTask, taskBody } from '../../../documents/plan.js'
import { saysNothing } from '../../../documents/says-something.js'
import { checkpointMessage } from '../../commits/checkpoint-commit.js'
import { saidLines } from '../../dispatch/questions.js'
import { writeProgress } from '../artifacts/task-state.js'
import { qDecision, qHumanAction, qHumanVerify } from '../questions/execute.js'
import type { CheckpointReport } from '../results.js'
import { knownDecisions, withDecision } from '../state/decisions.js'
import type { Decision, HarnessState } from '../state/state.js'
import { type SeenWork, workOf } from './approved-work.js'
import { commitPhase } from './commit-phase.js'
import type { RoundSeen } from './look.js'
import type { AnswerOrder, ExecutorOrder, Round } from './orders.js'
import type { PlanWork } from './plan-work.js'
import { planTaskId, taskName } from './task-ids.js'

// Checkpoints are the program's own: the markers of the approved plan are asked about, whether or not the executor
// reports them (docs/harness.md, "Questions"; docs/evidence.md, "Claims").

/** Decision words of answered checkpoints; their number in a phase numbers its checkpoint commits. */
const answeredWords = ['checkpoint_confirmed', 'checkpoint_decision', 'checkpoint_done']

const wordOf: Record<CheckpointReport['type'], string> = {
  'human-verify': 'checkpoint_confirmed',
  decision: 'checkpoint_decision',
  'human-action': 'checkpoint_done',
}

/** A checkpoint as the executor reports it: its question, the answer on record, a commit, and what follows. */
export async function answerCheckpoint(
  work: PlanWork,
  round: Round,
  seen: RoundSeen,
  reported: string | undefined,
): Promise<ExecutorOrder> {
  const task = work.tasks.find(({ id }) => id === reported)
  const checkpoint = filledReport(work, round, task)
  const at = { key: String(round.number), task, name: task ? `Task ${task.id}` : checkpoint.task.trim() }
  return ask(work, at, { ...checkpoint, changed: changedNote(work, at.task, seen) })
}

/** A report whose question is empty asks in the agent's last words, else in those of the plan, which also has the choices. */
function filledReport(
  work: PlanWork,
  { result, words }: Round,
  task: PlanTask | undefined,
): CheckpointReport {
  const checkpoint = result.checkpoint as CheckpointReport
  const { prompt, type, options = [] } = checkpoint
  const planned = task === undefined ? undefined : planText(work, task)
  const asked = saysNothing(prompt)
    ? [
        `The agent waits here (${type}) and asks nothing.`,
        ...(words === undefined ? (planned ?? []) : saidLines(words)),
      ].join('\n')
    : prompt
  const choices =
    type === 'decision' && options.length === 0 ? planOptions((planned ?? []).join('\n')) : options
  return { ...checkpoint, prompt: asked, ...(choices.length === 0 ? {} : { options: choices }) }
}

/** Marked tasks that are called complete and nobody has answered for. Returns the order that a rejected one is. */
export async function askOwnCheckpoints(
  work: PlanWork,
  round: Round,
  seen: RoundSeen,
  reported: string | undefined,
): Promise<ExecutorOrder | undefined> {
  let told: ExecutorOrder | undefined
  for (const task of work.tasks) {
    const type = task.checkpoint
    if (type === undefined || type === 'commit' || task.id === reported) continue
    if (!seen.complete.includes(task.id) && !work.done.has(task.id)) continue
    const at = { key: `${round.number}-${task.id}`, task, name: `Task ${task.id}` }
    // Answered in this visit, before it was broken off: what follows the answer is still to be done.
    const isHere = work.run.answered(`${type}-${at.key}`)
    if (!isHere && answered(work, work.run.state).has(task.id)) continue
    const order = await ask(work, at, {
      ...ownReport(work, task, type),
      changed: changedNote(work, task, seen),
    })
    if (order.answer === 'reject') {
      work.done.delete(task.id)
      await work.run.step(`rejected-${at.key}`, () => writeProgress(work.tools, [task.id], 'in_progress'))
      return order
    }
    if (type === 'decision' && order.answer !== asItIs) told ??= order
  }
  return told
}

const asItIs = 'as it was done'

/**
 * Id of the task that a report is about: the one it names, else the only one of its kind that is open, as it was when it
 * was reported.
 */
export async function reportedTask(work: PlanWork, { number, result }: Round): Promise<string | undefined> {
  const { checkpoint, status } = result
  if (status !== 'checkpoint' || !checkpoint) return undefined
  const id = planTaskId(checkpoint.task, work.tasks)
  if (id !== undefined) return id
  const found = await work.run.step(`reported-${number}`, () => {
    const known = answered(work, work.run.state)
    const open = work.tasks.filter((task) => task.checkpoint === checkpoint.type && !known.has(task.id))
    return open.length === 1 ? (open[0]?.id ?? null) : null
  })
  return found ?? undefined
}

/** What the plan says of the task, in place of a report. */
function ownReport(work: PlanWork, task: PlanTask, type: CheckpointReport['type']): CheckpointReport {
  const body = planText(work, task)
  const prompt = [
    `Task ${task.id} is reported complete. The plan marks it ${type}, and nobody was asked.`,
    ...body.slice(0, 41),
  ].join('\n')
  const options = type === 'decision' ? [...planOptions(body.join('\n')), asItIs] : undefined
  return { type, task: `Task ${task.id}`, prompt, ...(options ? { options } : {}) }
}

/** What the plan says of a task below its heading, a blank line before it. */
function planText({ plan }: PlanWork, { id }: PlanTask): string[] {
  const body = taskBody(plan, id)?.split('\n').slice(1).join('\n').trim() ?? ''
  return ['', ...body.split('\n')]
}

/** The choices that a task lists below a line that speaks of options. */
function planOptions(body: string): string[] {
  const lines = body.split('\n')
  const at = lines.findIndex((line) => /\b(?:options|choices)\b/i.test(line))
  if (at === -1) return []
  const items: string[] = []
  for (const line of lines.slice(at + 1)) {
    const item = /^\s{0,8}(?:[-*+]|\w[.)])\s(.{1,120})$/.exec(line)?.[1]?.trim()
    if (item) items.push(item)
    else if (line.trim() !== '') break
  }
  return items.slice(0, 8)
}

/** What changed since the person rejected it; nothing for one that is asked about for the first time. */
function changedNote({ run, phase }: PlanWork, task: PlanTask | undefined, seen: RoundSeen): string[] {
  const last = knownDecisions(run.state).findLast((entry) => isAbout(entry, phase.index, task))
  if (last?.decision !== 'checkpoint_rejected') return []
  const said = last.rationale ? [`You rejected it: ${last.rationale}`] : []
  if (seen.changed.length === 0) return [...said, 'Nothing has changed since.', '']
  return [...said, 'Changed since:', ...seen.changed.slice(0, 20).map((path) => `  ${path}`), '']
}

function isAbout(entry: Decision, phase: number, task: PlanTask | undefined): boolean {
  return entry.phase === phase && task !== undefined && entry.task === task.id && entry.title === task.title
}

/** Tasks whose checkpoint was answered with a key. Entries of 0.1.0 name no task: they count in the order of the plan. */
function answered({ phase, tasks }: PlanWork, state: HarnessState): Set<string> {
  const entries = knownDecisions(state).filter((entry) => entry.phase === phase.index)
  const found = new Set<string>()
  const older = new Map<string, number>()
  for (const entry of entries.filter(({ decision }) => answeredWords.includes(decision))) {
    if (entry.task === undefined) older.set(entry.decision, (older.get(entry.decision) ?? 0) + 1)
  }
  for (const task of tasks) {
    const type = task.checkpoint
    if (type === undefined || type === 'commit') continue
    const word = wordOf[type]
    const left = older.get(word) ?? 0
    if (entries.some((entry) => entry.decision === word && isAbout(entry, phase.index, task)))
      found.add(task.id)
    else if (left > 0) {
      older.set(word, left - 1)
      found.add(task.id)
    }
  }
  return found
}

/** Ids of tasks whose marker a person has answered. */
export function answeredTasks(work: PlanWork): ReadonlySet<string> {
  return answered(work, work.run.state)
}

interface Place {
  /** Part of the keys. */
  key: string
  task: PlanTask | undefined
  name: string
}

async function ask(
  work: PlanWork,
  { key, task, name }: Place,
  report: CheckpointReport & { changed: string[] },
): Promise<AnswerOrder> {
  const { run, tools, phase } = work
  const title = task ? `${name}: ${task.title}` : name
  const prompt = [...report.changed, ...report.prompt.split('\n')]
  const given = await give(work, key, title, { ...report, prompt: prompt.join('\n') })
  const seen =
    given.decision === 'checkpoint_confirmed'
      ? ((await run.step(`checkpoint-seen-${key}`, () => workOf(work, task))) as SeenWork)
      : {}
  const latest = await run.update(`checkpoint-decision-${key}`, (state) =>
    withDecision(state, {
      phase: phase.index,
      decision: given.decision,
      timestamp: tools.now().toISOString(),
      choice: given.answer,
      ...(given.note ? { rationale: given.note } : {}),
      ...(task ? { task: task.id, title: task.title } : {}),
      question: report.prompt.split('\n')[0] ?? '',
      ...(Object.keys(seen).length > 0 ? { seen } : {}),
    }),
  )
  if (given.decision !== 'checkpoint_rejected') {
    const number = knownDecisions(latest).filter(
      (entry) => entry.phase === phase.index && answeredWords.includes(entry.decision),
    ).length
    const description = task?.title || (report.prompt.split('\n')[0] ?? name)
    await commitPhase(work, `checkpoint-${key}`, checkpointMessage(number, description))
  }
  const { answer, note } = given
  return {
    kind: 'answer',
    type: report.type,
    task: taskName(name, work.tasks),
    answer,
    ...(note ? { note } : {}),
  }
}

interface Given {
  decision: 'checkpoint_confirmed' | 'checkpoint_rejected' | 'checkpoint_decision' | 'checkpoint_done'
  answer: string
  note?: string
}

async function give(
  { run }: PlanWork,
  key: string,
  title: string,
  checkpoint: CheckpointReport,
): Promise<Given> {
  const prompt = checkpoint.prompt.split('\n')
  switch (checkpoint.type) {
    case 'human-verify': {
      const answer = await run.ask(`human-verify-${key}`, qHumanVerify(title, prompt))
      if (answer.value === 'confirm') return { decision: 'checkpoint_confirmed', answer: 'confirm' }
      return { decision: 'checkpoint_rejected', answer: 'reject', note: answer.text ?? '' }
    }
    case 'decision': {
      const question = qDecision(title, prompt, checkpoint.options ?? [])
      const answer = await run.ask(`decision-${key}`, question)
      const chosen = answer.value === 'other' ? (answer.text ?? '') : answer.value.slice('option:'.length)
      return { decision: 'checkpoint_decision', answer: chosen }
    }
    case 'human-action':
      await run.ask(`human-action-${key}`, qHumanAction(title, prompt))
      return { decision: 'checkpoint_done', answer: 'done' }
  }
}
