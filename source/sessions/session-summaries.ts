import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonCodec } from '../ledger/state-codec.js'
import { readDigest } from '../ledger/summary-file.js'
import { readOwner } from '../storage/lock.js'
import { readStateFile } from '../storage/state-store.js'
import type { Question } from '../view/question.js'
import type { SessionSummary } from '../view/summary.js'
import { noUsage } from '../view/usage.js'
import type { Place } from '../workflows/place.js'
import type { AnyWorkflow, Registry, StateSummary, WorkflowEntry } from '../workflows/workflow.js'
import { findPlaces } from './session.js'

/** What a session's files say of it while another process may own it, without what it was made from. */
export type ToldSession = Omit<SessionSummary, 'v' | 'journal'>

/** A session in a list: its summary, and whether a process has it now. */
export interface ListedSession extends ToldSession {
  place: Place
  /** A living process (or one that cannot be told from a living one) owns the session. */
  live: boolean
  owner: { pid: number; hostname: string; tty: string | null; since: string; lockId: string } | null
}

/** Every session of a project, newest first. Nothing is executed or changed. */
export async function listSessions(root: string, registry: Registry): Promise<ListedSession[]> {
  const places = await findPlaces(root, registry)
  const sessions = await Promise.all(
    places.map(async ({ entry, place }) => listedSession(root, entry, place)),
  )
  return sessions
    .filter((session): session is ListedSession => session !== undefined)
    .sort((a, b) => b.lastActive.localeCompare(a.lastActive))
}

async function listedSession(
  root: string,
  entry: WorkflowEntry,
  place: Place,
): Promise<ListedSession | undefined> {
  const [summary, owner] = await Promise.all([
    summaryFromJournal(root, entry, place),
    readOwner(join(root, place.lockDir)).catch(() => undefined),
  ])
  if (!summary) return undefined
  return {
    ...summary,
    place,
    live: owner?.live ?? false,
    owner: owner?.owner
      ? {
          pid: owner.owner.pid,
          hostname: owner.owner.hostname,
          tty: owner.owner.tty ?? null,
          since: owner.owner.acquiredAt,
          lockId: owner.lockId,
        }
      : null,
  }
}

const noProgress = { phasesComplete: 0, phasesTotal: 0, tasksComplete: 0, tasksTotal: 0 }

/**
 * The summary of a session: from the file beside its journal where that fits, else from the journal and the state file.
 * Undefined where neither is there.
 */
export async function summaryFromJournal(
  root: string,
  entry: WorkflowEntry,
  place: Place,
): Promise<ToldSession | undefined> {
  const dir = join(root, place.sessionDir)
  const reading = await readDigest(dir, join(root, place.stateFile)).catch(() => undefined)
  const digest = reading?.digest
  const known = reading?.described as StateSummary | undefined
  const main = known ? undefined : await stateSummary(root, await entry.load(), place)
  if (main?.kind === 'missing' && digest === undefined) return undefined
  const told = known ?? (main?.kind === 'ok' ? main.told : undefined)
  const finished = digest ? digest.finished : main?.kind === 'ok' && main.done
  return {
    session: place.slug,
    workflow: entry.name,
    subject: told?.subject ?? digest?.subject ?? '',
    ...(told?.title === undefined ? {} : { title: told.title }),
    state: told?.state ?? (main?.kind === 'bad' ? null : 'INIT'),
    phase: told?.phase ?? null,
    progress: told?.progress ?? noProgress,
    facts: told?.facts ?? [],
    rigor: told?.rigor ?? null,
    question: finished ? null : questionOf(digest?.questions[0]),
    finished,
    usage: digest?.usage ?? noUsage,
    phases: (told?.phases ?? []).map((phase) => ({
      ...phase,
      usage: digest?.usageByPhase.get(phase.id) ?? noUsage,
    })),
    agent: digest?.agent ?? null,
    lastActive: digest?.lastAt ?? (await changedAt(root, place)),
    ...(main?.kind === 'bad' ? { problem: main.reason } : {}),
  }
}

type StateReading =
  | { kind: 'missing' }
  | { kind: 'bad'; reason: string }
  | { kind: 'ok'; told: StateSummary; done: boolean }

async function stateSummary(root: string, workflow: AnyWorkflow, place: Place): Promise<StateReading> {
  try {
    const read = await readStateFile(join(root, place.stateFile), jsonCodec(workflow.schema(place)))
    if (read.kind === 'missing') return read
    if (read.kind === 'unreadable') return { kind: 'bad', reason: read.reason }
    const told = await workflow.describe(read.value, { root, place })
    return { kind: 'ok', told, done: workflow.isDone(read.value) }
  } catch (error) {
    return { kind: 'bad', reason: error instanceof Error ? error.message : String(error) }
  }
}

function questionOf(question: Question | undefined): SessionSummary['question'] {
  if (!question) return null
  const { id, gate, title, body, options, askedAt } = question
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
