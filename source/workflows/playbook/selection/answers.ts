import { comparePhaseIds } from '../../../documents/playbook-id.js'
import { isComplete, type PlaybookRoadmap, readPlaybookRoadmap } from '../../../documents/playbook-roadmap.js'
import { fileExists, readText } from '../../../project/text-files.js'
import type { QuestionDraft } from '../../../view/question.js'
import type { GivenFlags } from '../../flags.js'
import { lastRun } from '../earlier-runs.js'
import { playbookFlags } from '../flags.js'
import { playbookPlace, playbookPlaces, roadmapOf, roadmapPaths } from '../places.js'
import { qAnother } from '../questions/resume.js'
import { phasesToCarry } from '../state/carry.js'
import { playbookCodec } from '../state/codec.js'
import type { PhaseRecord, PlaybookState } from '../state/schema.js'
import {
  cyclicPhases,
  malformedRoadmap,
  noPhases,
  noRoadmap,
  nothingToResume,
  nothingToRun,
  otherThanResumed,
} from './messages.js'
import { mustSelect, type SelectablePhase, selectPhases } from './select.js'
import { type StatusRow, statusTable } from './table.js'
import { otherThanUnderWay } from './under-way.js'
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
  if (selection.kind === 'resume' && !(await isBegun(root)))
    throw nothingToResume((await lastRun(root))?._meta.run_id)
  const state = await stateOf(root)
  const phases = selectable(roadmap, await knownRecords(root, state))
  const flags = playbookFlags(given)
  const { queue, completed } = selectPhases(phases, selection, flags)
  if (state === undefined) {
    // Nothing is opened for a run that has nothing to do; without words and flags a person picks.
    const isPicked = selection.kind === 'none' && Object.keys(given).length === 0
    if (queue.length === 0 && !isPicked && selection.kind !== 'resume') throw nothingToRun(completed, flags)
    return
  }
  const other = otherThanUnderWay(state, phases, { words, selection, given })
  if (other.length === 0) return
  if (selection.kind === 'resume') throw otherThanResumed(other)
  // A run is not given up for one that has nothing to do.
  const anew = selectPhases(selectable(roadmap, phasesToCarry(state)), selection, flags)
  if (anew.queue.length === 0) throw nothingToRun(anew.completed, flags)
}

/** What is asked where a run is under way, and what was typed is about another one; undefined where it is not. */
export async function askAboutOther(
  root: string,
  state: PlaybookState,
  { selectors: words, flags: given }: { selectors: readonly string[]; flags: GivenFlags },
): Promise<QuestionDraft | undefined> {
  const selection = readSelection(words)
  if ('invalid' in selection) return undefined
  const { roadmap } = await readRoadmapOf(root)
  const other = otherThanUnderWay(state, selectable(roadmap, state.phases), { words, selection, given })
  return other.length === 0 ? undefined : qAnother(state, other)
}

/** What a selector tells without a run: the table of `status`. Undefined for the others. */
export async function answerSelectors(root: string, words: readonly string[]): Promise<string[] | undefined> {
  const selection = readSelection(words)
  if ('invalid' in selection || selection.kind !== 'status') return undefined
  const { roadmap } = await readRoadmapOf(root)
  return statusTable(statusRows(roadmap, await knownRecords(root, await stateOf(root))))
}

/** Throws a Problem ('usage') for a roadmap that no run can follow. */
export function checkRoadmap(roadmap: PlaybookRoadmap, path: string): void {
  if (roadmap.phases.length === 0)
    throw noPhases(
      path,
      roadmap.warnings.filter((warning) => roadmap.unread > 0 && warning.startsWith('Line ')),
    )
  if (roadmap.cycle !== undefined) throw cyclicPhases(path, roadmap.cycle)
  if (roadmap.malformed) throw malformedRoadmap(path)
}

/** Phases of a roadmap as their records know them. A phase that the roadmap says is done is completed. */
export function selectable(roadmap: PlaybookRoadmap, records: Records): SelectablePhase[] {
  return roadmap.phases.map((phase) => {
    const record = records[`phase_${phase.id}`]
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

/** Phases as the runs before a new one have left them, in the order of their ids. */
export async function phasesBefore(root: string, roadmap: PlaybookRoadmap): Promise<SelectablePhase[]> {
  const last = await lastRun(root)
  const phases = selectable(roadmap, last === undefined ? {} : phasesToCarry(last))
  return phases.sort((one, other) => comparePhaseIds(one.id, other.id))
}

function statusRows(roadmap: PlaybookRoadmap, records: Records): StatusRow[] {
  return selectable(roadmap, records).map((phase) => {
    const { started_at: from = null, completed_at: to = null } = records[`phase_${phase.id}`] ?? {}
    const minutes = from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 60_000
    return { ...phase, minutes }
  })
}

async function readRoadmapOf(root: string): Promise<{ roadmap: PlaybookRoadmap; path: string }> {
  const path = await roadmapOf(root)
  if (path === undefined) throw noRoadmap(roadmapPaths)
  return { roadmap: readPlaybookRoadmap((await readText({ root }, path)) ?? ''), path }
}

/** By the keys of the state file. */
export type Records = Readonly<Record<string, PhaseRecord>>

/** What is known of phases: by the state of the run that is there, else by the newest one of the archive. */
async function knownRecords(root: string, state: PlaybookState | undefined): Promise<Records> {
  if (state !== undefined) return state.phases
  const last = await lastRun(root)
  return last === undefined ? {} : phasesToCarry(last)
}

/** The state of the run that is there, where it can be read. */
async function stateOf(root: string): Promise<PlaybookState | undefined> {
  const text = await readText({ root }, playbookPlace.stateFile)
  const read = text === undefined ? undefined : playbookCodec.read(Buffer.from(text))
  return read?.kind === 'ok' ? read.state : undefined
}

/** Some run can be gone on with: its state, a copy of it, or its journal is there. */
async function isBegun(root: string): Promise<boolean> {
  if ((await playbookPlaces(root)).length > 0) return true
  return playbookPlace.backupFile !== undefined && fileExists({ root }, playbookPlace.backupFile)
}
