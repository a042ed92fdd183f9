import { isComplete, type PlaybookRoadmap, readPlaybookRoadmap } from '../../../documents/playbook-roadmap.js'
import { readText } from '../../../project/text-files.js'
import type { GivenFlags } from '../../flags.js'
import { playbookFlags } from '../flags.js'
import { playbookPlace, roadmapOf, roadmapPaths } from '../places.js'
import { playbookCodec } from '../state/codec.js'
import { phaseOf } from '../state/phases.js'
import type { PlaybookState } from '../state/schema.js'
import { cyclicPhases, malformedRoadmap, noPhases, noRoadmap } from './messages.js'
import { mustSelect, type SelectablePhase, selectPhases } from './select.js'
import { type StatusRow, statusTable } from './table.js'
import { readSelection } from './words.js'

// Selectors against the roadmap and the state of a project, by plain reads.

/** Throws a Problem ('usage') for selectors that name nothing that can run. */
export async function checkSelectors(
  root: string,
  words: readonly string[],
  given: GivenFlags,
): Promise<void> {
  const { roadmap, path } = await readRoadmapOf(root)
  checkRoadmap(roadmap, path)
  const selection = mustSelect(readSelection(words), roadmap.phases)
  selectPhases(selectable(roadmap, await readState(root)), selection, playbookFlags(given))
}

/** What a selector tells without a run: the table of `status`. Undefined for the others. */
export async function answerSelectors(root: string, words: readonly string[]): Promise<string[] | undefined> {
  const selection = readSelection(words)
  if ('invalid' in selection || selection.kind !== 'status') return undefined
  const { roadmap } = await readRoadmapOf(root)
  return statusTable(statusRows(roadmap, await readState(root)))
}

/** Throws a Problem ('usage') for a roadmap that no run can follow. */
export function checkRoadmap(roadmap: PlaybookRoadmap, path: string): void {
  if (roadmap.phases.length === 0) throw noPhases(path)
  if (roadmap.cycle !== undefined) throw cyclicPhases(path, roadmap.cycle)
  if (roadmap.malformed) throw malformedRoadmap(path)
}

/** Phases of a roadmap as the state knows them. A phase that the roadmap says is done is completed. */
export function selectable(roadmap: PlaybookRoadmap, state: PlaybookState | undefined): SelectablePhase[] {
  return roadmap.phases.map((phase) => {
    const record = state === undefined ? undefined : phaseOf(state, phase.id)
    const known = record !== undefined && record.status !== 'not_started'
    return {
      id: phase.id,
      name: phase.name,
      dependsOn: phase.dependsOn,
      status: known ? record.status : isComplete(phase) ? 'completed' : 'not_started',
      score: record?.alignment_score ?? null,
      begun: phase.checkbox === 'partial' || record?.status === 'in_progress',
    }
  })
}

function statusRows(roadmap: PlaybookRoadmap, state: PlaybookState | undefined): StatusRow[] {
  return selectable(roadmap, state).map((phase) => {
    const { started_at: from, completed_at: to } =
      state === undefined ? { started_at: null, completed_at: null } : phaseOf(state, phase.id)
    const minutes = from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 60_000
    return { ...phase, minutes }
  })
}

async function readRoadmapOf(root: string): Promise<{ roadmap: PlaybookRoadmap; path: string }> {
  const path = await roadmapOf(root)
  if (path === undefined) throw noRoadmap(roadmapPaths)
  return { roadmap: readPlaybookRoadmap((await readText({ root }, path)) ?? ''), path }
}

/** The state as its file says it; undefined where there is none that can be read. */
async function readState(root: string): Promise<PlaybookState | undefined> {
  const text = await readText({ root }, playbookPlace.stateFile)
  const read = text === undefined ? undefined : playbookCodec.read(Buffer.from(text))
  return read?.kind === 'ok' ? read.state : undefined
}
