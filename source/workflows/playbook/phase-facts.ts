import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { criterionOf } from '../../documents/playbook-criterion.js'
import { paddedPhaseId } from '../../documents/playbook-id.js'
import { isComplete, type PlaybookPhase, readPlaybookRoadmap } from '../../documents/playbook-roadmap.js'
import { Problem } from '../../problem.js'
import { fileExists, readText } from '../../project/text-files.js'
import type { PhaseType } from './orders/fields.js'
import { directoryOf, phasesDir } from './phase-directories.js'
import { planFiles, plansIn } from './plans.js'
import { discussPath, mapPath } from './records/talks.js'
import { standingBehind } from './state/carry.js'
import { phaseOf } from './state/phases.js'
import type { PlaybookState } from './state/schema.js'
import type { PlaybookTools } from './tools.js'
import type { PhaseFacts } from './work.js'

/** What a phase is, from the roadmap as it is now and what lies in its directory. */
export async function readFacts(tools: PlaybookTools, state: PlaybookState, id: string): Promise<PhaseFacts> {
  const text = (await readText(tools, state.roadmap_path)) ?? ''
  const { phases } = readPlaybookRoadmap(text)
  const phase = phases.find((one) => one.id === id)
  if (!phase) throw phaseGone(id, state.roadmap_path)
  const dir = (await directoryIn(tools, state, id)) ?? newDirectory(phase)
  await mkdir(join(tools.root, dir), { recursive: true })
  const done = await completedOf(tools, state, phases, id)
  return {
    id,
    name: phase.name,
    goal: phase.goal,
    description: phase.description,
    requirements: phase.requirements,
    isDone: isComplete(phase),
    criteria: phase.criteria.map((item) => criterionOf(item)),
    dependencies: await dependenciesOf(tools, state, phases, phase),
    completedDirs: done.map((one) => one.dir),
    completedSummaries: done.map((one) => one.summary),
    contextPaths: await contextPaths(tools, dir),
    dir,
    type: await typeOf(tools, phase, dir),
    number: placeOf(state, id),
    total: state._meta.total_phases,
  }
}

function placeOf({ _meta: { total_phases: total, queue } }: PlaybookState, id: string): number {
  const at = queue.indexOf(id)
  return at === -1 ? total : total - queue.length + at + 1
}

function phaseGone(id: string, path: string): Problem {
  return new Problem({
    code: 'usage',
    what: `Phase ${id} is not in ${path} any more.`,
    why: 'A phase is worked on as the roadmap says it, so there is nothing to go by.',
    todo: 'Put it back into the roadmap, or start a new run without it.',
  })
}

/** The directory that a phase has, by what this run knows of it. */
export function directoryIn(
  { root, outline }: Pick<PlaybookTools, 'root' | 'outline'>,
  state: PlaybookState,
  id: string,
): Promise<string | undefined> {
  return directoryOf(root, id, [...outline.keys()], phaseOf(state, id))
}

const longestSlug = 40

function newDirectory({ id, name }: PlaybookPhase): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, longestSlug)
  return `${phasesDir}/${paddedPhaseId(id)}${slug === '' ? '' : `-${slug}`}`
}

/** Whether a phase counts as done for those that depend on it; a failed one never does. */
export async function isSatisfied(
  tools: Pick<PlaybookTools, 'root' | 'outline'>,
  state: PlaybookState,
  phase: PlaybookPhase,
): Promise<boolean> {
  const record = phaseOf(state, phase.id)
  const { status } = record
  if (status === 'failed') return standingBehind(record) !== undefined
  if (status === 'completed' || status === 'needs_human_verification' || isComplete(phase)) return true
  const dir = await directoryIn(tools, state, phase.id)
  if (dir === undefined) return false
  if (status === 'not_started' && (await fileExists(tools, `${dir}/EXECUTION-LOG.md`))) return true
  return hasSummaries(tools, dir)
}

/** Every plan has a summary. */
async function hasSummaries(tools: Pick<PlaybookTools, 'root'>, dir: string): Promise<boolean> {
  const plans = await planFiles(tools.root, dir)
  if (plans.length === 0) return false
  for (const plan of plans)
    if (!(await fileExists(tools, `${dir}/${plan.replace(/PLAN/i, 'SUMMARY')}`))) return false
  return true
}

async function dependenciesOf(
  tools: PlaybookTools,
  state: PlaybookState,
  phases: readonly PlaybookPhase[],
  { id, dependsOn }: PlaybookPhase,
): Promise<PhaseFacts['dependencies']> {
  return Promise.all(
    dependsOn
      .filter((other) => other !== id)
      .map(async (other) => {
        const phase = phases.find((one) => one.id === other)
        if (!phase) return { id: other, met: false, why: 'the roadmap has no such phase' }
        const met = await isSatisfied(tools, state, phase)
        return { id: other, met, why: met ? '' : phaseOf(state, other).status.replaceAll('_', ' ') }
      }),
  )
}

async function completedOf(
  tools: PlaybookTools,
  state: PlaybookState,
  phases: readonly PlaybookPhase[],
  id: string,
): Promise<{ dir: string; summary: string }[]> {
  const done: { dir: string; summary: string }[] = []
  for (const phase of phases) {
    if (phase.id === id || !(await isSatisfied(tools, state, phase))) continue
    const dir = await directoryIn(tools, state, phase.id)
    const { alignment_score: score } = phaseOf(state, phase.id)
    const scored = score === null ? '' : `, ${score.toFixed(1)}/10`
    if (dir !== undefined)
      done.push({ dir, summary: `Phase ${phase.id} ${phase.name}: ${phase.goal}${scored}` })
  }
  return done
}

async function contextPaths(tools: PlaybookTools, dir: string): Promise<string[]> {
  const own = await contextFileOf(tools, dir)
  const paths = [discussPath, mapPath]
  const there = await Promise.all(paths.map((path) => fileExists(tools, path)))
  return [...(own === undefined ? [] : [own]), ...paths.filter((_, index) => there[index])]
}

/** What people wrote down of a phase: `CONTEXT.md`, else `NN-CONTEXT.md`, of its directory. */
export async function contextFileOf(
  { root }: Pick<PlaybookTools, 'root'>,
  dir: string,
): Promise<string | undefined> {
  const names = (await readdir(join(root, dir)).catch(() => [] as string[])).sort()
  const name =
    names.find((one) => one === 'CONTEXT.md') ?? names.find((one) => /^[\w.]+-CONTEXT\.md$/i.test(one))
  return name === undefined ? undefined : `${dir}/${name}`
}

/** By the files of its plans, else by what the roadmap says. */
async function typeOf(
  { root, settings }: PlaybookTools,
  phase: PlaybookPhase,
  dir: string,
): Promise<PhaseType> {
  const { tasks } = await plansIn(root, dir, phase.id)
  const files = tasks.flatMap((task) => task.files)
  const { source_dir: source, file_extensions: endings } = settings.project.ui
  const isUi = (file: string) =>
    (source !== undefined && file.startsWith(`${source.replace(/\/$/, '')}/`)) ||
    endings.some((ending) => file.endsWith(ending))
  if (files.length > 0) {
    if (files.some(isUi)) return 'ui'
    if (files.every((file) => /\.mdx?$/i.test(file))) return 'protocol'
    if (files.every((file) => /\.(?:json|jsonl|ya?ml|toml|csv)$/i.test(file))) return 'data'
    return 'mixed'
  }
  return /^(?:yes|true|y)\b/i.test(phase.uiHint) ? 'ui' : 'mixed'
}
