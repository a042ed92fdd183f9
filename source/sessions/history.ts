import { readdir, stat } from 'node:fs/promises'
import { basename, join, posix } from 'node:path'
import type { Digest } from '../ledger/digest.js'
import type { SealPlace } from '../ledger/seal.js'
import { readDigest } from '../ledger/summary-file.js'
import type { History, PhaseSample } from '../view/forecast.js'
import type { StateSummary } from '../view/summary.js'
import type { Place } from '../workflows/place.js'
import type { AnyWorkflow } from '../workflows/workflow.js'
import { describeState } from './describe-state.js'
import { knownSealPlace } from './seal-place.js'
import type { SessionAt } from './session.js'

// What earlier sessions of a workflow came to in this project, archived ones included, for the forecast
// (docs/terminal.md "Forecast"). It decides nothing, so archived journals are read as they lie there.

/** Sessions that are looked at, the newest of them, and bytes of a journal; more is not worth the reading. */
const mostSessions = 12
const mostBytes = 64 * 1024 * 1024

export const noHistory: History = { samples: [], sessions: 0 }

/** Words of the workflows for a phase that is done. */
const doneWords: ReadonlySet<string> = new Set(['complete', 'completed', 'done'])

export interface HistoryParts<State extends object> extends SessionAt<State> {
  /** The sessions of the same workflow, this one perhaps among them. */
  places?: (() => Promise<Place[]>) | undefined
}

/** The finished phases of the other sessions of a workflow in a project. What cannot be read is passed over. */
export async function historyOf<State extends object>(parts: HistoryParts<State>): Promise<History> {
  const { root, place } = parts
  const workflow = parts.workflow as unknown as AnyWorkflow
  const beside = (await parts.places?.()) ?? []
  const others = beside.filter(({ sessionDir }) => sessionDir !== place.sessionDir)
  const archived = await archivedPlaces(root, workflow.archiveDir, place)
  const found = await newestOf(root, [...others, ...archived])
  const samples: PhaseSample[][] = []
  // One after the other: the run that this is for comes first.
  for (const one of found) {
    const seal = archived.includes(one) ? undefined : await knownSealPlace(root, one)
    const own = await samplesOf(root, workflow, { place: one, seal }).catch(() => [])
    if (own.length > 0) samples.push(own)
  }
  return { samples: samples.flat(), sessions: samples.length }
}

async function archivedPlaces(root: string, archiveDir: string, place: Place): Promise<Place[]> {
  const entries = await readdir(join(root, archiveDir), { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const sessionDir = posix.join(archiveDir, name)
      const stateFile = posix.join(sessionDir, basename(place.stateFile))
      return { workflow: place.workflow, slug: name, sessionDir, stateFile, lockDir: sessionDir }
    })
}

async function newestOf(root: string, places: readonly Place[]): Promise<Place[]> {
  const dated = await Promise.all(
    places.map(async (place) => {
      const facts = await stat(join(root, place.sessionDir, 'journal.jsonl')).catch(() => undefined)
      return facts && facts.size <= mostBytes ? [{ place, at: facts.mtimeMs }] : []
    }),
  )
  const newest = dated.flat().sort((one, other) => other.at - one.at)
  return newest.slice(0, mostSessions).map(({ place }) => place)
}

async function samplesOf(
  root: string,
  workflow: AnyWorkflow,
  { place, seal }: { place: Place; seal: SealPlace | undefined },
): Promise<PhaseSample[]> {
  const reading = await readDigest(join(root, place.sessionDir), seal)
  if (!reading || (reading.digest.workflow ?? workflow.name) !== workflow.name) return []
  const state = await describeState(root, workflow, place)
  return samplesIn(reading.digest, state.kind === 'told' ? state.told.phases : undefined)
}

/**
 * The phases of a session that are done, with what they came to. Pure.
 *
 * @param phases what the state says of them; without it all phases of a finished session count
 */
export function samplesIn(
  { usageByPhase, workByPhase, finished }: Pick<Digest, 'usageByPhase' | 'workByPhase' | 'finished'>,
  phases: StateSummary['phases'] | undefined,
): PhaseSample[] {
  const known = phases?.filter(({ status }) => doneWords.has(status))
  const unnamed = finished ? [...workByPhase.keys()].map((id) => ({ id, tasks: undefined })) : []
  return (known ?? unnamed).flatMap(({ id, tasks }) => {
    const workMs = workByPhase.get(id) ?? 0
    const used = usageByPhase.get(id)
    if (workMs <= 0) return []
    return [
      {
        workMs,
        tokens: (used?.inputTokens ?? 0) + (used?.outputTokens ?? 0),
        ...(used?.usd === undefined ? {} : { usd: used.usd }),
        ...(tasks && tasks.length > 0 ? { tasks: tasks.length } : {}),
      },
    ]
  })
}
