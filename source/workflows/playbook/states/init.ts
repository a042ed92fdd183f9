import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { phaseOrder } from '../../../documents/playbook-order.js'
import { isComplete, type PlaybookRoadmap, readPlaybookRoadmap } from '../../../documents/playbook-roadmap.js'
import { Problem } from '../../../problem.js'
import { ensureIgnored } from '../../../project/gitignore.js'
import { readText } from '../../../project/text-files.js'
import type { Run } from '../../../run/run.js'
import { hashOfFile } from '../artifacts.js'
import { newState } from '../state/new-state.js'
import type { PlaybookState } from '../state/schema.js'
import { withKeptChanges } from '../steps/own-changes.js'
import type { PlaybookTools } from '../tools.js'
import { settleTreeFirst } from './settle-tree.js'

/** INIT: what is to be run, against which spec, in a tree that nobody is surprised by. */
export async function init(run: Run<PlaybookState>, tools: PlaybookTools): Promise<PlaybookState> {
  const work = { run, tools }
  await run.note('spec', tools.roadmapPath)
  const chosen = await run.step('chosen', () => choose(tools))
  const kept = await settleTreeFirst(work, 'tree')
  const spec = await run.step('spec-lock', () => lockSpec(tools))
  await run.step('own-files', () => ensureIgnored(tools.root, '.', '.autopilot'))
  const head = await run.step('head', () => tools.git.head())
  const at = await run.step('time', () => tools.now().toISOString())
  const state = newState({
    at,
    spec,
    roadmapPath: tools.roadmapPath,
    head,
    phases: chosen.phases,
    queue: chosen.queue,
    carried: {},
    flags: { ...tools.flags },
    threshold: 9,
    confidence: 6,
  })
  return withKeptChanges(state, kept)
}

async function choose(tools: PlaybookTools): Promise<{ phases: string[]; queue: string[] }> {
  const roadmap = readPlaybookRoadmap((await readText(tools, tools.roadmapPath)) ?? '')
  checkRoadmap(roadmap, tools.roadmapPath)
  const open = roadmap.phases.filter((phase) => !isComplete(phase)).map(({ id }) => id)
  const order = phaseOrder(roadmap.phases.map(({ id, dependsOn }) => ({ id, dependsOn })))
  return { phases: roadmap.phases.map(({ id }) => id), queue: order.filter((id) => open.includes(id)) }
}

function checkRoadmap({ phases, cycle }: PlaybookRoadmap, path: string): void {
  if (phases.length === 0)
    throw new Problem({
      code: 'usage',
      what: `${path} has no phase that can be read.`,
      why: 'The run works through the phases of a roadmap, so there is nothing to do.',
      todo: 'Write each phase as a heading, such as `### Phase 1: Name`, and start again.',
    })
  if (cycle)
    throw new Problem({
      code: 'usage',
      what: `Phases of ${path} depend on each other in a circle: ${cycle.join(' -> ')}.`,
      why: 'None of them could ever begin.',
      todo: 'Correct `Depends on` of one of them, and start again.',
    })
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
