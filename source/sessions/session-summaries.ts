import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readPlan } from '../documents/plan.js'
import { readTaskState, taskIdOfKey } from '../documents/task-state.js'
import { isFinished } from '../ledger/finished.js'
import { type JournalRecord, readJournal } from '../ledger/journal.js'
import { openQuestion } from '../ledger/open-question.js'
import { usageByPhase, usageOf } from '../ledger/usage.js'
import { sessionsDir } from '../project/paths.js'
import { readOwner } from '../storage/lock.js'
import type { Usage } from '../view/view.js'
import { migrate } from '../workflows/harness/state/migrate.js'
import type { HarnessState } from '../workflows/harness/state/state.js'

/** What can be said of a session from its files alone, while another process may own it. */
export interface SessionAccount {
  session: string
  workflow: 'harness'
  spec: string
  /** INIT before the first state was saved; null when the state cannot be read. */
  state: string | null
  phase: { number: number; name: string; total: number } | null
  progress: { phasesComplete: number; phasesTotal: number; tasksComplete: number; tasksTotal: number }
  rigor: string | null
  question: {
    id: string
    gate: string
    title: string
    body: string[]
    options: { value: string; label: string; consequence: string }[]
    askedAt: string
  } | null
  /** A living process (or one that cannot be told from a living one) owns the session. */
  live: boolean
  owner: { pid: number; hostname: string; tty: string | null; since: string; lockId: string } | null
  finished: boolean
  /** Tokens and cost of all agents so far, those that were stopped included. */
  usage: Usage
  /** The phases with what each has used. */
  phases: { number: number; name: string; complexity: string; status: string; usage: Usage }[]
  /** The `--agent` that the session was last run with, if any. */
  agent: string | null
  /** ISO time of the last change. */
  lastActive: string
  /** Why the state cannot be read, if so. */
  problem?: string
}

/** Every session of a project, newest first. Nothing is executed or changed. */
export async function sessionAccounts(root: string): Promise<SessionAccount[]> {
  const base = join(root, sessionsDir)
  const entries = await readdir(base, { withFileTypes: true }).catch(() => [])
  const accounts = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map((entry) => sessionAccount(root, entry.name)),
  )
  return accounts
    .filter((account): account is SessionAccount => account !== undefined)
    .sort((a, b) => b.lastActive.localeCompare(a.lastActive))
}

async function sessionAccount(root: string, slug: string): Promise<SessionAccount | undefined> {
  const dir = join(root, sessionsDir, slug)
  const [journal, owner, main] = await Promise.all([
    readJournal(join(dir, 'journal.jsonl')).catch(() => ({ records: [] as JournalRecord[] })),
    readOwner(dir).catch(() => undefined),
    readState(join(dir, 'autopilot-state.json'), `${sessionsDir}/${slug}`),
  ])
  const { records } = journal
  if (main.kind === 'missing' && records.length === 0) return undefined
  const state = main.kind === 'ok' ? main.state : undefined
  const finished = isFinished(records) || (records.length === 0 && state?.currentState === 'DONE')
  const question = finished ? undefined : openQuestion(records)
  return {
    session: slug,
    workflow: 'harness',
    spec: state?.specPath ?? specOf(records),
    state: state?.currentState ?? (main.kind === 'bad' ? null : 'INIT'),
    phase: state ? phaseOf(state) : null,
    progress: state
      ? await progressOf(root, dir, state)
      : { phasesComplete: 0, phasesTotal: 0, tasksComplete: 0, tasksTotal: 0 },
    rigor: state?.rigorLevel ?? null,
    question: question
      ? {
          id: question.id,
          gate: question.gate,
          title: question.title,
          body: question.body,
          options: question.options.map(({ value, label, consequence }) => ({ value, label, consequence })),
          askedAt: question.askedAt,
        }
      : null,
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
    finished,
    usage: usageOf(records),
    phases: state ? phaseAccounts(state, records) : [],
    agent: lastAgent(records),
    lastActive: records.at(-1)?.at ?? (await changedAt(dir)),
    ...(main.kind === 'bad' ? { problem: main.reason } : {}),
  }
}

type StateReading =
  | { kind: 'missing' }
  | { kind: 'bad'; reason: string }
  | { kind: 'ok'; state: HarnessState }

async function readState(path: string, sessionDir: string): Promise<StateReading> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'missing' }
    return { kind: 'bad', reason: String((error as Error).message) }
  }
  try {
    return { kind: 'ok', state: migrate(JSON.parse(text), { sessionDir, head: null }).state }
  } catch (error) {
    return { kind: 'bad', reason: error instanceof Error ? error.message : String(error) }
  }
}

function phaseAccounts(state: HarnessState, records: readonly JournalRecord[]): SessionAccount['phases'] {
  const byPhase = usageByPhase(records)
  return state.phases.map((phase, index) => ({
    number: index + 1,
    name: phase.name,
    complexity: phase.complexityOverride ?? phase.complexity,
    status: phase.status,
    usage: byPhase.get(String(index + 1)) ?? { inputTokens: 0, outputTokens: 0 },
  }))
}

function phaseOf(state: HarnessState): SessionAccount['phase'] {
  const phase = state.phases[state.currentPhase]
  if (!phase) return null
  return { number: state.currentPhase + 1, name: phase.name, total: state.phases.length }
}

async function progressOf(
  root: string,
  dir: string,
  state: HarnessState,
): Promise<SessionAccount['progress']> {
  let tasksComplete = 0
  let tasksTotal = 0
  const progress = await currentProgress(dir, state)
  for (const [index, phase] of state.phases.entries()) {
    if (phase.planPath === null || phase.status === 'skipped') continue
    const plan = await readFile(join(root, phase.planPath), 'utf8').catch(() => undefined)
    if (plan === undefined) continue
    const { tasks } = readPlan(plan)
    tasksTotal += tasks.length
    if (phase.status === 'complete') tasksComplete += tasks.length
    else if (index === state.currentPhase)
      tasksComplete += tasks.filter((task) => progress.has(task.id)).length
  }
  const phasesComplete = state.phases.filter((phase) => phase.status === 'complete').length
  return { phasesComplete, phasesTotal: state.phases.length, tasksComplete, tasksTotal }
}

async function currentProgress(dir: string, state: HarnessState): Promise<Set<string>> {
  const text = await readFile(join(dir, 'state.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return new Set()
  const read = readTaskState(text)
  const entries = 'state' in read ? Object.entries(read.state?.progress ?? {}) : []
  return new Set(
    entries.flatMap(([key, value]) =>
      value === 'complete' ? (taskIdOfKey(key, state.currentPhase + 1) ?? []) : [],
    ),
  )
}

/** Before the first state, the spec is known from the first note of the journal. */
function specOf(records: readonly JournalRecord[]): string {
  for (const record of records) {
    if (record.type === 'note' && record.key === 'spec') return record.text
  }
  return ''
}

function lastAgent(records: readonly JournalRecord[]): string | null {
  const named = records.flatMap((record) => (record.type === 'opened' && record.agent ? [record.agent] : []))
  return named.at(-1) ?? null
}

async function changedAt(dir: string): Promise<string> {
  const info = await stat(join(dir, 'autopilot-state.json')).catch(() => stat(dir).catch(() => undefined))
  return (info?.mtime ?? new Date(0)).toISOString()
}
