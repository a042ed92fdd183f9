import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isFinished } from '../ledger/finished.js'
import { type JournalRecord, readJournal } from '../ledger/journal.js'
import { openQuestion } from '../ledger/open-question.js'
import { usageByPhase, usageOf } from '../ledger/usage.js'
import { readStateFile } from '../storage/json-store.js'
import { readOwner } from '../storage/lock.js'
import type { SessionSummary } from '../view/summary.js'
import type { Place } from '../workflows/place.js'
import type { AnyWorkflow, Registry } from '../workflows/workflow.js'
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
    places.map(async ({ entry, place }) => listedSession(root, await entry.load(), place)),
  )
  return sessions
    .filter((session): session is ListedSession => session !== undefined)
    .sort((a, b) => b.lastActive.localeCompare(a.lastActive))
}

async function listedSession(
  root: string,
  workflow: AnyWorkflow,
  place: Place,
): Promise<ListedSession | undefined> {
  const [summary, owner] = await Promise.all([
    summaryFromJournal(root, workflow, place),
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

/** The summary of a session from its whole journal and its state file; undefined where neither is there. */
export async function summaryFromJournal(
  root: string,
  workflow: AnyWorkflow,
  place: Place,
): Promise<ToldSession | undefined> {
  const [journal, main] = await Promise.all([
    readJournal(join(root, place.sessionDir, 'journal.jsonl')).catch(() => ({
      records: [] as JournalRecord[],
    })),
    readState(root, workflow, place),
  ])
  const { records } = journal
  if (main.kind === 'missing' && records.length === 0) return undefined
  const state = main.kind === 'ok' ? main.state : undefined
  const told = state && (await workflow.describe(state, { root, place }))
  const finished =
    isFinished(records) || (records.length === 0 && state !== undefined && workflow.isDone(state))
  const usage = usageByPhase(records)
  return {
    session: place.slug,
    workflow: workflow.name,
    subject: told?.subject ?? subjectOf(records),
    ...(told?.title === undefined ? {} : { title: told.title }),
    state: told?.state ?? (main.kind === 'bad' ? null : 'INIT'),
    phase: told?.phase ?? null,
    progress: told?.progress ?? noProgress,
    facts: told?.facts ?? [],
    rigor: told?.rigor ?? null,
    question: finished ? null : questionOf(records),
    finished,
    usage: usageOf(records),
    phases: (told?.phases ?? []).map((phase) => ({
      ...phase,
      usage: usage.get(phase.id) ?? { inputTokens: 0, outputTokens: 0 },
    })),
    agent: lastAgent(records),
    lastActive: records.at(-1)?.at ?? (await changedAt(root, place)),
    ...(main.kind === 'bad' ? { problem: main.reason } : {}),
  }
}

type StateReading = { kind: 'missing' } | { kind: 'bad'; reason: string } | { kind: 'ok'; state: object }

async function readState(root: string, workflow: AnyWorkflow, place: Place): Promise<StateReading> {
  try {
    const read = await readStateFile(join(root, place.stateFile), workflow.schema(place))
    if (read.kind === 'ok') return { kind: 'ok', state: read.value }
    return read.kind === 'missing' ? read : { kind: 'bad', reason: read.reason }
  } catch (error) {
    return { kind: 'bad', reason: error instanceof Error ? error.message : String(error) }
  }
}

function questionOf(records: readonly JournalRecord[]): SessionSummary['question'] {
  const question = openQuestion(records)
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

/** Before the first state, what the session is about is known from the first note of the journal. */
function subjectOf(records: readonly JournalRecord[]): string {
  for (const record of records) {
    if (record.type === 'note' && (record.key === 'subject' || record.key === 'spec')) return record.text
  }
  return ''
}

function lastAgent(records: readonly JournalRecord[]): string | null {
  const named = records.flatMap((record) => (record.type === 'opened' && record.agent ? [record.agent] : []))
  return named.at(-1) ?? null
}

async function changedAt(root: string, place: Place): Promise<string> {
  const info = await stat(join(root, place.stateFile)).catch(() =>
    stat(join(root, place.sessionDir)).catch(() => undefined),
  )
  return (info?.mtime ?? new Date(0)).toISOString()
}
