import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type DigestReading, readDigest } from '../ledger/summary-file.js'
import { describeOwner, readOwner } from '../storage/lock.js'
import type { Question } from '../view/question.js'
import { readStateSummary, type SessionSummary, type SummaryQuestion } from '../view/summary.js'
import { noUsage } from '../view/usage.js'
import type { Place } from '../workflows/place.js'
import type { Registry, WorkflowEntry } from '../workflows/workflow.js'
import { knownSealPlace } from './seal-place.js'
import { findPlaces } from './session.js'
import type { StateReading } from './state-reading.js'
import { findStrangers, writtenByAnother } from './strangers.js'

// Loaded by `status` and `sessions`, so nothing heavy is imported here: the code of a workflow is loaded only for a
// session whose kept summary does not fit.

/** A session in a list: its summary, and whether a process has it now. */
export interface ListedSession extends SessionSummary {
  place: Place
  /** A living process (or one that cannot be told from a living one) owns the session. */
  live: boolean
  owner: { pid: number; hostname: string; tty: string | null; since: string; lockId: string } | null
}

/** Every session of a project, newest first. Nothing is executed or changed. */
export async function listSessions(root: string, registry: Registry): Promise<ListedSession[]> {
  const places = await findPlaces(root, registry)
  const known = await Promise.all(places.map(({ entry, place }) => listedSession(root, entry, place)))
  const strangers = await findStrangers(
    root,
    places.map(({ place }) => place),
  )
  return [...known, ...(await Promise.all(strangers.map((place) => listedStranger(root, place))))]
    .filter((session): session is ListedSession => session !== undefined)
    .sort((a, b) => b.lastActive.localeCompare(a.lastActive))
}

async function listedSession(
  root: string,
  entry: WorkflowEntry,
  place: Place,
): Promise<ListedSession | undefined> {
  const [summary, owner] = await Promise.all([summaryOf(root, entry, place), ownerOf(root, place)])
  return summary && { ...summary, place, ...owner }
}

async function listedStranger(root: string, place: Place): Promise<ListedSession | undefined> {
  const [reading, owner] = await Promise.all([
    readDigest(join(root, place.sessionDir), undefined),
    ownerOf(root, place),
  ])
  const name = reading?.digest.workflow ?? 'unknown'
  const summary = await merged(root, { ...place, workflow: name }, reading, {
    kind: 'bad',
    reason: writtenByAnother(name).what,
  })
  return summary && { ...summary, place, ...owner }
}

/** Who has a session open, for people. */
export function ownerText({ since, ...owner }: NonNullable<ListedSession['owner']>): string {
  return describeOwner({ ...owner, tty: owner.tty ?? '', acquiredAt: since })
}

async function ownerOf(root: string, place: Place): Promise<Pick<ListedSession, 'live' | 'owner'>> {
  const found = await readOwner(join(root, place.lockDir)).catch(() => undefined)
  if (!found?.owner) return { live: found?.live ?? false, owner: null }
  const { pid, hostname, tty, acquiredAt } = found.owner
  return {
    live: found.live,
    owner: { pid, hostname, tty: tty ?? null, since: acquiredAt, lockId: found.lockId },
  }
}

/** The summary of one session; undefined where neither journal nor state is there. */
export async function summaryOf(
  root: string,
  entry: WorkflowEntry,
  place: Place,
): Promise<SessionSummary | undefined> {
  const seal = await knownSealPlace(root, place)
  const reading = await readDigest(join(root, place.sessionDir), seal, join(root, place.stateFile)).catch(
    (error: unknown) => error as Error,
  )
  if (reading instanceof Error)
    return merged(root, place, undefined, { kind: 'bad', reason: reading.message })
  const writer = reading?.digest.workflow ?? entry.name
  if (writer !== entry.name) {
    const state: StateReading = { kind: 'bad', reason: writtenByAnother(writer).what }
    return merged(root, { ...place, workflow: writer }, reading, state)
  }
  const kept = readStateSummary(reading?.described)
  const state: StateReading = kept
    ? { kind: 'told', told: kept, done: false }
    : await (await import('./describe-state.js')).describeState(root, await entry.load(), place)
  return merged(root, place, reading, state)
}

const noProgress = { phasesComplete: 0, phasesTotal: 0, tasksComplete: 0, tasksTotal: 0 }

/** A state that was saved and whose file is gone is not one that has not begun. */
function lost(place: Place, reading: DigestReading | undefined, state: StateReading): StateReading {
  if (state.kind !== 'missing' || reading?.hasState !== true) return state
  return {
    kind: 'bad',
    reason: `${place.stateFile} is gone; what becomes of it is asked when the session is opened.`,
  }
}

async function merged(
  root: string,
  place: Place,
  reading: DigestReading | undefined,
  found: StateReading,
): Promise<SessionSummary | undefined> {
  if (found.kind === 'missing' && reading === undefined) return undefined
  const state = lost(place, reading, found)
  const { digest } = reading ?? {}
  const told = state.kind === 'told' ? state.told : undefined
  const finished = digest?.finished ?? (state.kind === 'told' && state.done)
  const [question] = digest?.questions ?? []
  return {
    session: place.slug,
    workflow: place.workflow,
    subject: told?.subject ?? digest?.subject ?? '',
    ...(told?.title === undefined ? {} : { title: told.title }),
    ...(told?.phaseWord === undefined ? {} : { phaseWord: told.phaseWord }),
    state: told?.state ?? (state.kind === 'bad' ? null : 'INIT'),
    phase: told?.phase ?? null,
    progress: told?.progress ?? noProgress,
    facts: told?.facts ?? [],
    rigor: told?.rigor ?? null,
    ...(told?.report === undefined ? {} : { report: told.report }),
    question: finished || !question ? null : questionOf(question),
    finished,
    usage: digest?.usage ?? noUsage,
    phases: (told?.phases ?? []).map((phase) => ({
      ...phase,
      usage: digest?.usageByPhase.get(phase.id) ?? noUsage,
    })),
    agent: digest?.agent ?? null,
    lastActive: digest?.lastAt ?? (await changedAt(root, place)),
    ...(state.kind === 'bad' ? { problem: state.reason } : {}),
    ...(reading?.foreign === undefined ? {} : { journal: reading.foreign }),
  }
}

function questionOf({ id, gate, title, body, options, askedAt }: Question): SummaryQuestion {
  return {
    id,
    gate,
    title,
    body,
    options: options.map(({ value, label, consequence }) => ({ value, label, consequence })),
    askedAt,
  }
}

async function changedAt(root: string, place: Place): Promise<string> {
  const info = await stat(join(root, place.stateFile)).catch(() =>
    stat(join(root, place.sessionDir)).catch(() => undefined),
  )
  return (info?.mtime ?? new Date(0)).toISOString()
}
