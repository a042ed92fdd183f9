import { access, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readPlaybookRoadmap } from '../../../documents/playbook-roadmap.js'
import { Problem } from '../../../problem.js'
import { fileExists, readText } from '../../../project/text-files.js'
import type { Run } from '../../../run/run.js'
import type { Typed } from '../../workflow.js'
import { hashOfFile } from '../artifacts.js'
import { usualThreshold } from '../decisions/human-verification.js'
import { lastRun } from '../earlier-runs.js'
import { type PlaybookFlags, passThreshold, playbookFlags } from '../flags.js'
import { archiveDir } from '../places.js'
import { learningsPath } from '../records/learnings.js'
import { takeRefused } from '../refused-flags.js'
import { checkRoadmap, selectable } from '../selection/answers.js'
import { nothingToRun } from '../selection/messages.js'
import { pickQuestion } from '../selection/pick-question.js'
import { mustSelect, type SelectablePhase, selectPhases } from '../selection/select.js'
import { phaseWords, readSelection, type Selection } from '../selection/words.js'
import { startupLines } from '../startup-lines.js'
import { phasesToCarry } from '../state/carry.js'
import { type EventDraft, withEvents } from '../state/events.js'
import { newState, runIdOf } from '../state/new-state.js'
import type { PhaseRecord, PlaybookState } from '../state/schema.js'
import { talksOf } from '../state/talks.js'
import { giveBackRefs, givenBack, putAsideOf } from '../steps/put-aside.js'
import type { PlaybookTools } from '../tools.js'
import type { PlaybookWork } from '../work.js'
import { ignoreOwnFiles } from './ignore-own.js'
import { keepDetected } from './keep-detected.js'
import { settleTreeFirst } from './settle-tree.js'
import { typedNow, typedOf } from './typed.js'

/** INIT: what is to be run, against which spec, in a tree that nobody is surprised by. */
export async function init(run: Run<PlaybookState>, tools: PlaybookTools): Promise<PlaybookState> {
  const work = { run, tools }
  await run.note('spec', tools.roadmapPath)
  const first = await run.step('typed', () => typedNow(tools))
  const ended = await run.step('ended-run', () => leftByEnded(tools.root))
  await giveBackRefs(work, 'ended', ended)
  const wish = await wishOf(work, first)
  const withTree = await settleTreeFirst(work, 'tree')
  const chosen = await choose(work, wish)
  const spec = await run.step('spec-lock', () => lockSpec(tools))
  const withLine = await ignoreOwnFiles(work)
  await keepDetected(work)
  await run.step('learnings', () => clearLearnings(tools))
  const head = await run.step('head', () => tools.git.head())
  const lines = startupLines({
    queue: chosen.queue,
    spec,
    model: tools.modelFor('phase-executor') ?? '',
    project: tools.project,
    commands: tools.commands(),
  })
  for (const [index, line] of lines.entries()) await run.note(`start-${index + 1}`, line)
  const at = await run.step('time', () => tools.now().toISOString())
  const runId = await run.step('run-id', () => freeRunId(tools.root, at))
  const state = newState({
    at,
    runId,
    spec,
    roadmapPath: tools.roadmapPath,
    head,
    phases: chosen.phases,
    queue: chosen.queue,
    carried: chosen.carried,
    skipped: chosen.completed,
    flags: { ...wish.typed.flags },
    threshold: passThreshold(playbookFlags(wish.typed.flags)),
    confidence: chosen.confidence,
  })
  const refused = await run.step('refused-flags', () => takeRefused(tools.root))
  const talks = talksOf(playbookFlags(wish.typed.flags), chosen.queue)
  const _meta = { ...state._meta, selectors: [...phaseWords(wish.typed.selectors)], ...talks }
  return withEvents(withLine(withTree({ ...state, _meta })), at, refused as EventDraft[])
}

/** A run has its second for itself: one that began in the same one keeps its name in the archive. */
async function freeRunId(root: string, at: string): Promise<string> {
  for (let time = Date.parse(at); ; time += 1000) {
    const id = runIdOf(new Date(time).toISOString())
    if (!(await fileExists({ root }, `${archiveDir}/${id}`))) return id
  }
}

interface Chosen {
  phases: string[]
  queue: string[]
  /** Named, and completed already. */
  completed: string[]
  carried: Record<string, PhaseRecord>
  confidence: number
}

interface Wish {
  typed: Typed
  selection: Selection
}

/** What this run is to be about: phases that were named, those of a flag, else what a person picks. */
async function wishOf(work: PlaybookWork, first: Typed): Promise<Wish> {
  const { run, tools } = work
  const { phases } = (await run.step('phases', () => knownOf(tools))) as Known
  const typed = await typedOf(work, first, phases)
  const flags = playbookFlags(typed.flags)
  const named = mustSelect(readSelection(typed.selectors), phases)
  const { complete, quality, gaps, force, map, discuss } = flags
  const says = complete || quality || gaps || force || map || discuss
  return { typed, selection: named.kind === 'none' && !says ? await pick(work, flags) : named }
}

/** Its phases. The roadmap is read again: while questions were open, somebody may have written on in it. */
async function choose({ run, tools }: PlaybookWork, { typed, selection }: Wish): Promise<Chosen> {
  const known = (await run.step('phases-now', () => knownOf(tools))) as Known
  const { phases, carried, confidence } = known
  const flags = playbookFlags(typed.flags)
  const { queue, completed } = selectPhases(phases, selection, flags)
  if (queue.length === 0) throw nothingToRun(completed, flags)
  return { phases: phases.map(({ id }) => id), queue, completed, carried, confidence }
}

interface Known {
  phases: SelectablePhase[]
  carried: Record<string, PhaseRecord>
  confidence: number
}

/** The phases of the roadmap, with what the run before this one knew of them. */
async function knownOf(tools: PlaybookTools): Promise<Known> {
  const roadmap = readPlaybookRoadmap((await readText(tools, tools.roadmapPath)) ?? '')
  checkRoadmap(roadmap, tools.roadmapPath)
  const last = await lastRun(tools.root)
  const carried = last === undefined ? {} : phasesToCarry(last)
  return {
    phases: selectable(roadmap, carried),
    carried,
    confidence: last?._meta.autonomous_confidence_threshold ?? usualThreshold,
  }
}

/** Asked again until what is typed names phases, and anew where the roadmap has changed meanwhile. */
async function pick({ run, tools }: PlaybookWork, flags: PlaybookFlags): Promise<Selection> {
  let wrong: string | undefined
  for (let round = 1; ; round += 1) {
    const told = wrong
    const { answer, subject: phases } = await run.gate(`pick-${round}`, async () => {
      const now = (await knownOf(tools)).phases
      return { subject: now, question: pickQuestion(now, told) }
    })
    const selection = readSelection(
      answer.value === 'named' ? (answer.text ?? '').split(/\s+/) : [answer.value],
    )
    const problem = whyNot(phases, selection, flags)
    if (problem === undefined && !('invalid' in selection)) return selection
    wrong = problem
  }
}

/** What is wrong with a selection that was typed at the question; one that has nothing to do ends no run. */
function whyNot(
  phases: readonly SelectablePhase[],
  selection: ReturnType<typeof readSelection>,
  flags: PlaybookFlags,
): string | undefined {
  try {
    const known = mustSelect(selection, phases)
    if (known.kind === 'status' || known.kind === 'resume' || known.kind === 'none')
      return `'${known.kind}' names no phases of a new run.`
    const { queue, completed } = selectPhases(phases, known, flags)
    if (queue.length === 0) throw nothingToRun(completed, flags)
    return undefined
  } catch (error) {
    return error instanceof Problem ? `${error.what} ${error.why} ${error.todo}` : String(error)
  }
}

/** What the run before has learned was for that run. */
async function clearLearnings({ root }: PlaybookTools): Promise<null> {
  await rm(join(root, learningsPath), { force: true })
  return null
}

const usualSpecs = ['.planning/REQUIREMENTS.md', '.planning/PROJECT.md', '.planning/ROADMAP.md']

async function lockSpec(tools: PlaybookTools): Promise<{ path: string; hash: string }> {
  for (const path of [...tools.settings.project.spec_paths, ...usualSpecs, tools.roadmapPath]) {
    const there = await access(join(tools.root, path)).then(
      () => true,
      () => false,
    )
    if (there) return { path, hash: await hashOfFile(tools.root, path) }
  }
  return { path: tools.roadmapPath, hash: await hashOfFile(tools.root, tools.roadmapPath) }
}

/** Refs of what a run that was given up before its end has put aside, and nobody has given back. */
async function leftByEnded(root: string): Promise<string[]> {
  const last = await lastRun(root)
  if (last === undefined || last._meta.status === 'completed' || last._meta[givenBack] === true) return []
  return putAsideOf(last).map(({ ref }) => ref)
}
