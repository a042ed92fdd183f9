import { planPathsOf } from '../../../documents/handoff.js'
import { kebab } from '../../../documents/kebab.js'
import { readPlan } from '../../../documents/plan.js'
import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import {
  commonBrief,
  dispatchOrChoose,
  type PersonaOutcome,
  type PersonaRequest,
  phaseFields,
} from '../../dispatch/dispatch.js'
import { qAgent } from '../../dispatch/questions.js'
import { readText } from '../artifacts/files.js'
import { findHandoff, writeSkillHandoff } from '../artifacts/handoff.js'
import { scratchpadDir } from '../artifacts/scratchpad.js'
import { findPlan, listPlanFiles, type PlanFiles, usablePlanPath } from '../find-plan.js'
import { plannerPrompt } from '../personas/planner.js'
import { currentPhase, type PhaseContext, phaseDescription, withPhase } from '../phases.js'
import { qInteractive, qPlanFile, qSkeleton } from '../questions/plan.js'
import { type PlanResult, planResultSchema } from '../results.js'
import { overrideNote, planOverride } from '../signals.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'

interface FoundPlan {
  path: string
  concerns: string[]
}

/** PLAN: get a plan for the phase, from the planner or from the person (sections 1, 4). */
export async function plan(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Transition<HarnessState>> {
  const context = currentPhase(state)
  const found = state.awaitingInteractivePlan
    ? await interactivePlan(state, run, tools, context)
    : await plannedByAgent(state, run, tools, context)
  const counted = await run.step('count', async () => {
    const reading = readPlan((await readText(tools, found.path)) ?? '')
    return { tasks: reading.taskCount, checkpoints: reading.checkpointCount }
  })
  const override = planOverride(context.phase, counted.tasks, counted.checkpoints)
  const note = overrideNote(override, counted.tasks)
  await run.note('found', `Plan: ${found.path} (${counted.tasks} tasks, about ${counted.tasks * 3} min)`)
  if (note) await run.note('override', note, 'warning')
  return {
    change: (latest) => ({
      ...withPhase(latest, context.index, {
        planPath: found.path,
        complexityOverride: override,
        concerns: found.concerns,
      }),
      awaitingInteractivePlan: false,
      currentState: 'APPROVE_PLAN',
    }),
  }
}

/** Where the plan is asked to be written (section 4). */
async function requestedPath(
  run: Run<HarnessState>,
  tools: HarnessTools,
  context: PhaseContext,
): Promise<string> {
  const date = await run.step('date', () => tools.now().toISOString().slice(0, 10))
  return `docs/plans/${date}-${kebab(context.phase.name) || `phase-${context.number}`}-plan.md`
}

/** High complexity: wait for a plan that a person makes; found again by itself after a restart. */
async function interactivePlan(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
  context: PhaseContext,
): Promise<FoundPlan> {
  const path = await requestedPath(run, tools, context)
  const since = context.phase.startedAt ?? tools.now().toISOString()
  const look = async () => {
    const handoff = await findHandoff(tools, 'harness-planning', since)
    const named = handoff?.fresh ? planPathsOf(handoff.handoff) : []
    const found = await findPlan(tools, state, context, [path, ...named], { sinceMs: Date.parse(since) })
    return { found, concerns: handoff?.fresh ? handoff.handoff.concerns : [] }
  }
  let notice: string[] = []
  for (let round = 1; ; round += 1) {
    const { answer, subject } = await run.gate(`interactive-${round}`, async () => {
      const seen = await look()
      return seen.found.kind === 'none'
        ? { subject: seen, question: qInteractive(context.label, path, notice) }
        : { subject: seen, settled: 'found' }
    })
    if (answer.value === 'found') {
      if (subject.found.kind === 'found') return { path: subject.found.path, concerns: subject.concerns }
      if (subject.found.kind === 'choose') {
        const chosen = await choosePlan(
          run,
          tools,
          context,
          `which-${round}`,
          subject.found.candidates,
          subject.found.sure,
        )
        return { path: chosen, concerns: subject.concerns }
      }
    }
    if (answer.value === 'choose') {
      const chosen = await run.step(`chosen-${round}`, () =>
        usablePlanPath(tools, answer.text ?? '').then((one) => one ?? null),
      )
      if (chosen !== null) return { path: chosen, concerns: subject.concerns }
      notice = [`${answer.text} is not a Markdown file inside the project.`, '']
      continue
    }
    notice = ['No plan for this phase was found yet.', '']
  }
}

async function choosePlan(
  run: Run<HarnessState>,
  tools: HarnessTools,
  context: PhaseContext,
  key: string,
  candidates: string[],
  sure: boolean,
): Promise<string> {
  for (let round = 1; ; round += 1) {
    const answer = await run.ask(`${key}-${round}`, qPlanFile(context.label, candidates, sure))
    const input = answer.value === 'choose' ? (answer.text ?? '') : answer.value
    const path = await run.step(`${key}-path-${round}`, () =>
      usablePlanPath(tools, input).then((one) => one ?? null),
    )
    if (path !== null) return path
    await run.note(`${key}-bad-${round}`, `${input} is not a Markdown file inside the project.`, 'warning')
  }
}

/** Low and medium complexity: the planner plans; thorough approves an outline first. */
async function plannedByAgent(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
  context: PhaseContext,
): Promise<FoundPlan> {
  const path = await requestedPath(run, tools, context)
  let skeleton: string | undefined
  let note: string | undefined
  let outline = context.rigor === 'thorough'
  for (let round = 1; ; round += 1) {
    const before = await run.step(`before-${round}`, async () => ({
      files: await listPlanFiles(tools),
      at: tools.now().toISOString(),
    }))
    const order = { path, skeleton, note, outline }
    const outcome = await dispatchPlanner(state, run, tools, context, round, order)
    if (outcome.kind === 'chosen') {
      const chosen = await chosenPath(run, tools, `failed-path-${round}`, outcome.text)
      if (chosen !== null) return { path: chosen, concerns: [] }
      await run.note(
        `failed-bad-${round}`,
        `${outcome.text} is not a Markdown file inside the project.`,
        'warning',
      )
      continue
    }
    const { result } = outcome
    if (outline) {
      const lines = await run.step(`outline-${round}`, () => outlineOf(tools, result))
      const answer = await run.ask(`skeleton-${round}`, qSkeleton(context.label, lines))
      if (answer.value === 'approve') {
        skeleton = lines.join('\n')
        note = undefined
        outline = false
      } else {
        note = answer.text
      }
      continue
    }
    const found = await planOfReply(state, run, tools, context, round, result, before)
    if (found) return found
    const body = [
      `The planner named ${result.planPath}, which is not a Markdown file in the project,`,
      'and no other plan for this phase was found.',
    ]
    const answer = await run.ask(`no-plan-${round}`, qAgent(`${context.label}: there is no plan`, body, true))
    const chosen =
      answer.value === 'choose' ? await chosenPath(run, tools, `no-plan-path-${round}`, answer.text) : null
    if (chosen !== null) return { path: chosen, concerns: result.concerns }
  }
}

function chosenPath(run: Run<HarnessState>, tools: HarnessTools, key: string, text: string | undefined) {
  return run.step(key, () => usablePlanPath(tools, text ?? '').then((one) => one ?? null))
}

/** What is shown for approval: the outline of the result, else the task headings of a plan written too early. */
async function outlineOf(tools: HarnessTools, result: PlanResult): Promise<string[]> {
  if (result.skeleton?.trim()) return result.skeleton.trim().split('\n')
  const text = await readText(tools, result.planPath).catch(() => undefined)
  const tasks = text === undefined ? [] : readPlan(text).tasks
  if (tasks.length === 0) return ['The planner gave no outline.']
  return tasks.map((task) => `Task ${task.id}: ${task.title}`)
}

interface PlannerOrder {
  path: string
  skeleton: string | undefined
  note: string | undefined
  outline: boolean
}

async function dispatchPlanner(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
  context: PhaseContext,
  round: number,
  order: PlannerOrder,
): Promise<PersonaOutcome<PlanResult>> {
  const scratchpad =
    context.rigor === 'fast' ? undefined : scratchpadDir(tools, context.number, context.phase.name)
  const brief = await commonBrief(tools, context)
  const description = await phaseDescription(tools, context)
  const request: PersonaRequest<PlanResult> = {
    persona: 'harness-planner',
    title: `Plan ${context.label}`,
    attempt: round,
    phase: context.number,
    expects: planResultSchema,
    access: 'full',
    failedTitle: `${context.label}: planning did not succeed`,
    brief: {
      ...brief,
      planPath: order.path,
      expects: 'plan',
      ...(scratchpad ? { scratchpadDir: scratchpad } : {}),
      ...(order.outline || order.skeleton === undefined ? {} : { approvedSkeleton: order.skeleton }),
      ...(order.note ? { note: order.note } : {}),
    },
    prompt: (begin) =>
      plannerPrompt({
        ...phaseFields(tools, context, begin),
        phaseDescription: description,
        phases: state.phases.map((phase, index) => ({
          number: index + 1,
          name: phase.name,
          status: phase.status,
        })),
        planPath: order.path,
        date: order.path.slice('docs/plans/'.length, 'docs/plans/'.length + 10),
        ...(scratchpad ? { scratchpadDir: scratchpad } : {}),
        ...(order.outline || order.skeleton === undefined ? {} : { approvedSkeleton: order.skeleton }),
        ...(order.note ? { revision: { note: order.note } } : {}),
      }),
  }
  return dispatchOrChoose(run, tools, `planner-${round}`, request, true)
}

async function planOfReply(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
  context: PhaseContext,
  round: number,
  result: PlanResult,
  before: { files: PlanFiles; at: string },
): Promise<FoundPlan | undefined> {
  const seen = await run.step(`look-${round}`, async () => {
    const handoff = await findHandoff(tools, 'harness-planning', before.at)
    const named = handoff?.fresh ? planPathsOf(handoff.handoff) : []
    const found = await findPlan(
      tools,
      state,
      context,
      [result.planPath, ...named].filter(Boolean),
      before.files,
    )
    const concerns = [...new Set([...result.concerns, ...(handoff?.fresh ? handoff.handoff.concerns : [])])]
    return { found, concerns, handoff: handoff?.fresh === true }
  })
  const { found } = seen
  if (found.kind === 'none') return undefined
  const path =
    found.kind === 'found'
      ? found.path
      : await choosePlan(run, tools, context, `which-${round}`, found.candidates, found.sure)
  if (!seen.handoff) {
    await run.step(`handoff-${round}`, () =>
      writeSkillHandoff(tools, {
        timestamp: tools.now().toISOString(),
        fromSkill: 'harness-planning',
        phase: 'VALIDATE',
        summary: `Plan for ${context.label}: ${path}`,
        completed: [`Plan for ${context.label}`],
        pending: [],
        concerns: seen.concerns,
        decisions: [],
        blockers: [],
        contextKeywords: [],
        planPath: path,
      }),
    )
  }
  return { path, concerns: seen.concerns }
}
