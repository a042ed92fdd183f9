import { counted } from '../../../counted.js'
import { readPlan } from '../../../documents/plan.js'
import { outlineTasks, planLosses } from '../../../documents/plan-losses.js'
import { aboutText } from '../../../durations.js'
import { readText } from '../../../project/text-files.js'
import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { qAgent } from '../../dispatch/questions.js'
import { dispatchPlanner, type PlannerOrder } from '../dispatches/planner.js'
import { withPhase } from '../phases.js'
import { usablePath } from '../planning/choose-plan.js'
import { freePlanPath, listPlanFiles, type PlanFiles } from '../planning/find-plan.js'
import { interactivePlan } from '../planning/interactive-plan.js'
import { type PlannedFile, planOfReply } from '../planning/plan-of-reply.js'
import { overrideNote, planOverride } from '../planning/signals.js'
import { choosePlanFile, qSkeleton } from '../questions/plan.js'
import type { PlanResult } from '../results.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { type PhaseWork, phaseWork } from '../work.js'

/** PLAN: get a plan for the phase, from the planner or from the person (docs/harness.md, "States"). */
export async function plan(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Transition<HarnessState>> {
  const work = phaseWork(state, run, tools)
  const path = await run.step('path', () => freePlanPath(work))
  const found = state.awaitingInteractivePlan
    ? await interactivePlan(work, path)
    : await plannedByAgent(work, path)

  const size = await run.step('count', async () => {
    const reading = readPlan((await readText(tools, found.path)) ?? '')
    return { tasks: reading.taskCount, checkpoints: reading.checkpointCount }
  })
  const override = planOverride(work.phase.record, size.tasks, size.checkpoints)
  const note = overrideNote(override, size.tasks, size.checkpoints)
  await run.note(
    'found',
    `Plan: ${found.path} (${counted(size.tasks, 'task')}, about ${aboutText(size.tasks * 3 * 60_000)})`,
  )
  if (note) await run.note('override', note, 'warning')
  return {
    change: (latest) => ({
      ...withPhase(latest, work.phase.index, {
        planPath: found.path,
        complexityOverride: override,
        concerns: found.concerns,
        outline: found.outline,
      }),
      awaitingInteractivePlan: false,
      currentState: 'APPROVE_PLAN',
    }),
  }
}

/** Low and medium complexity: the planner plans; thorough approves an outline first. */
async function plannedByAgent(work: PhaseWork, path: string): Promise<PlannedFile> {
  const { run, tools, phase } = work
  const order: PlannerOrder = { path, outline: phase.rigor === 'thorough' }
  let first: { files: PlanFiles; at: string } | undefined
  for (let round = 1; ; round += 1) {
    const before = await run.step(`before-${round}`, async () => ({
      files: await listPlanFiles(tools),
      at: tools.now().toISOString(),
    }))
    first ??= before as { files: PlanFiles; at: string }
    const outcome = await dispatchPlanner(work, round, order)
    if (outcome.kind === 'instead') {
      const text = outcome.answer.text ?? ''
      const chosen = await usablePath(work, `failed-path-${round}`, text)
      if (chosen !== null) return { path: chosen, concerns: [] }
      await run.note(`failed-bad-${round}`, `${text} is not a Markdown file inside the project.`, 'warning')
      continue
    }
    if (order.outline) {
      await approveOutline(work, round, order, outcome.result)
      continue
    }
    // What an outline's round has written counts as well: it was this planner, in this visit.
    const found = await planOfReply(work, round, outcome.result, first)
    if (found) return { ...found, ...outlineOfOrder(order) }
    order.reason = noPlanLines(outcome.result).join(' ')
    const chosen = await withoutPlan(work, round, outcome.result)
    if (chosen !== undefined)
      return { path: chosen, concerns: outcome.result.concerns, ...outlineOfOrder(order) }
  }
}

/** What was approved before the plan was written out. */
const outlineOfOrder = ({ skeleton }: PlannerOrder) => (skeleton === undefined ? {} : { outline: skeleton })

/** thorough: the outline is approved, or goes back with a note (docs/harness.md, "Rigor"). Changes the order. */
async function approveOutline(
  { run, tools, phase }: PhaseWork,
  round: number,
  order: PlannerOrder,
  result: PlanResult,
): Promise<void> {
  const lines = await run.step(`outline-${round}`, () => outlineOf(tools, result))
  const tasks = outlineTasks(lines.join('\n'))
  const lost = planLosses(order.shown ?? [], tasks)
  const told = lost.length > 0 ? ['Since the outline before:', ...lost.map((line) => `  ${line}`), ''] : []
  const answer = await run.ask(`skeleton-${round}`, qSkeleton(phase.label, [...told, ...lines]))
  order.shown = tasks
  if (answer.value !== 'approve') {
    if (answer.text !== undefined) order.note = answer.text
    return
  }
  order.skeleton = lines.join('\n')
  order.outline = false
  delete order.note
}

/** What is shown for approval: the outline of the result, else the task headings of a plan written too early. */
async function outlineOf(tools: HarnessTools, result: PlanResult): Promise<string[]> {
  if (result.skeleton?.trim()) return result.skeleton.trim().split('\n')
  const text = await readText(tools, result.planPath).catch(() => undefined)
  const tasks = text === undefined ? [] : readPlan(text).tasks
  if (tasks.length === 0) return ['The planner gave no outline.']
  return tasks.map((task) => `Task ${task.id}: ${task.title}`)
}

function noPlanLines(result: PlanResult): string[] {
  return [
    `The planner named ${result.planPath}, which is not a Markdown file in the project,`,
    'and no other plan for this phase was found.',
  ]
}

/** The planner says that it is done and there is no plan: the file that the person names, if they do. */
async function withoutPlan(work: PhaseWork, round: number, result: PlanResult): Promise<string | undefined> {
  const question = qAgent(`${work.phase.label}: there is no plan`, noPlanLines(result), [choosePlanFile])
  const answer = await work.run.ask(`no-plan-${round}`, question)
  if (answer.value !== choosePlanFile.value) return undefined
  return (await usablePath(work, `no-plan-path-${round}`, answer.text ?? '')) ?? undefined
}
