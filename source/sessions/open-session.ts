import { mkdir, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lineDiff } from '../documents/diff.js'
import { isFinished } from '../ledger/finished.js'
import type { SessionAsk } from '../ledger/session-opening.js'
import { openSessionStore, type SessionStore } from '../ledger/session-store.js'
import { Problem } from '../problem.js'
import { sessionsDir } from '../project/paths.js'
import { foreignEditQuestion, spelled } from '../run/aside-questions.js'
import { openElsewhere } from '../storage/lock.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import { version } from '../version.js'
import type { Answer, Question, QuestionDraft } from '../view/question.js'
import { qBroken, qDone } from '../workflows/harness/questions/session.js'
import { migrate } from '../workflows/harness/state/migrate.js'
import type { HarnessState } from '../workflows/harness/state/state.js'
import { harnessFileSchema } from '../workflows/harness/state/state-schema.js'
import { doneReport } from '../workflows/harness/states/done.js'
import { harnessWorkflow } from '../workflows/harness/workflow.js'

/** Asks before a run exists; `quit` leaves everything as it is. */
export type AskFirst = (question: Question, header: string) => Promise<Answer | 'quit'>

export interface SessionPlace {
  root: string
  slug: string
}

export type OpenedSession =
  | { kind: 'ready'; store: SessionStore<HarnessState>; notices: string[] }
  /** The person closed it, or it is open elsewhere. */
  | { kind: 'closed'; exitCode: 0 | 1 | 3; lines: string[] }

/** Takes a session, settling with the person whatever stands in the way: a lock, an edit, a broken or finished state. */
export async function openSession(place: SessionPlace, ask: AskFirst): Promise<OpenedSession> {
  let takeover: string | undefined
  for (;;) {
    const opened = await tryOpen(place, ask, takeover)
    if (opened.kind === 'retry') takeover = opened.takeover
    else return opened
  }
}

type Attempt = OpenedSession | { kind: 'retry'; takeover?: string }

async function tryOpen(place: SessionPlace, ask: AskFirst, takeover: string | undefined): Promise<Attempt> {
  const sessionDir = `${sessionsDir}/${place.slug}`
  const opening = await openSessionStore<HarnessState>({
    dir: join(place.root, sessionDir),
    root: place.root,
    stateFile: harnessWorkflow.stateFile,
    schema: harnessFileSchema(sessionDir),
    version,
    ...(takeover ? { takeover } : {}),
  }).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'both-bad') return error
    throw error
  })
  if (opening instanceof Problem) return broken(place, ask, opening)
  if (opening.kind === 'open') return elsewhere(place, ask, opening)
  if (opening.kind === 'ready') return ready(place, ask, opening.store)

  const before = opening.ask
  const settled = await settle(before, ask, place)
  if (!settled) {
    await opening.close()
    return { kind: 'closed', exitCode: 3, lines: [`Session ${place.slug} was left as it is.`] }
  }
  const store = await opening.proceed()
  if (before.kind === 'adopt' || before.kind === 'foreign-edit')
    await backUpOldFormat(store, before.foundText)
  return ready(place, ask, store)
}

/** Before the first write of a migrated file its bytes are kept (harness.md section 2.2). */
async function backUpOldFormat(store: SessionStore<HarnessState>, text: string): Promise<void> {
  const found = schemaVersionOf(text)
  if (found < 5) await store.backupOnce(`autopilot-state.v${found}.bak.json`, Buffer.from(text, 'utf8'))
}

function schemaVersionOf(text: string): number {
  const { schemaVersion } = JSON.parse(text) as { schemaVersion?: unknown }
  return typeof schemaVersion === 'number' ? schemaVersion : 1
}

function asked(draft: QuestionDraft): Question {
  const now = new Date()
  return { ...draft, id: `${draft.gate}-${now.getTime()}`, askedAt: now.toISOString() }
}

const stop = { value: 'stop', label: 'stop', consequence: 'leave everything as it is', stops: true }

/** True when the person let the session go on. */
async function settle(
  before: SessionAsk<HarnessState>,
  ask: AskFirst,
  place: SessionPlace,
): Promise<boolean> {
  switch (before.kind) {
    case 'adopt': {
      const answer = await ask(asked(adoptQuestion(before, place)), place.slug)
      if (answer === 'quit' || answer.value === 'stop') return false
      await before.resolve()
      return true
    }
    case 'foreign-edit': {
      const question = foreignEditQuestion(before, new Date())
      const diff = lineDiff(spelled(before.expectedText), spelled(before.foundText)).map(sanitizeLine)
      const answer = await ask({ ...question, body: [before.path, '', ...diff] }, place.slug)
      if (answer === 'quit' || answer.value === 'stop') return false
      await before.resolve(answer.value === 'accept' ? 'accept' : 'restore')
      return true
    }
    case 'rebuild': {
      const answer = await ask(
        asked({
          gate: 'Q-REBUILD',
          title: 'Rebuild the state file from the journal?',
          body: [
            before.path,
            before.reason,
            'The journal holds the whole last state; the broken file is kept beside it.',
          ],
          options: [
            {
              value: 'rebuild',
              label: 'rebuild',
              consequence: 'go on from the last saved step',
              recommended: true,
            },
            stop,
          ],
        }),
        place.slug,
      )
      if (answer === 'quit' || answer.value === 'stop') return false
      await before.resolve()
      return true
    }
  }
}

function adoptQuestion(
  before: Extract<SessionAsk<HarnessState>, { kind: 'adopt' }>,
  place: SessionPlace,
): QuestionDraft {
  const sessionDir = `${sessionsDir}/${place.slug}`
  const migration = migrate(JSON.parse(before.foundText), { sessionDir, head: null })
  const { state } = migration
  const phase = state.phases[state.currentPhase]
  return {
    gate: 'Q-ADOPT',
    title: 'Go on with this session?',
    body: [
      'Its state file was written by another tool, or by a version without a journal.',
      `It is in ${state.currentState}, phase ${state.currentPhase + 1} of ${state.phases.length}: ${phase?.name ?? ''}`,
      ...(migration.migratedFrom
        ? [`Version ${migration.migratedFrom} becomes 5; the old file is kept as a backup.`]
        : []),
      ...migration.changes.map((change) => `Changed: ${change}`),
      ...migration.warnings.map((warning) => `Warning: ${warning}`),
    ].map(sanitizeLine),
    options: [
      { value: 'adopt', label: 'go on with it', consequence: 'continue from that state', recommended: true },
      stop,
    ],
  }
}

async function elsewhere(
  place: SessionPlace,
  ask: AskFirst,
  found: Parameters<typeof openElsewhere>[1] & { liveness: 'alive' | 'unknown' },
): Promise<Attempt> {
  const problem = openElsewhere(place.slug, found)
  const alive = found.liveness === 'alive'
  const answer = await ask(
    asked({
      gate: 'Q-LOCK',
      title: problem.what,
      body: [
        problem.why,
        alive ? 'That process is alive.' : 'Whether that process is alive cannot be told from here.',
        `Lock: ${found.lockId}`,
        ...(found.owner
          ? [`Host ${found.owner.hostname}, user ${found.owner.user}, program ${found.owner.argv0}`]
          : []),
      ].map(sanitizeLine),
      options: [
        {
          value: 'close',
          label: 'close',
          consequence: 'leave the session to that process',
          recommended: true,
        },
        {
          value: 'unlock',
          label: 'take it over',
          consequence: alive
            ? 'the living process can write no more and stops'
            : 'only if that process is gone for certain',
          text: { label: 'Type the id of the lock', required: true },
        },
      ],
    }),
    place.slug,
  )
  if (answer === 'quit' || answer.value !== 'unlock') {
    return { kind: 'closed', exitCode: 3, lines: [problem.what, problem.why, problem.todo] }
  }
  // Another id takes nothing: the session is tried again, and if it is still open the question comes back.
  return answer.text?.trim() === found.lockId ? { kind: 'retry', takeover: found.lockId } : { kind: 'retry' }
}

async function broken(place: SessionPlace, ask: AskFirst, problem: Problem): Promise<Attempt> {
  const answer = await ask(
    asked(qBroken([problem.what, problem.why, problem.todo].map(sanitizeLine))),
    place.slug,
  )
  if (answer === 'quit' || answer.value !== 'archive') {
    return { kind: 'closed', exitCode: 1, lines: [problem.what, problem.why, problem.todo] }
  }
  await archive(place)
  return { kind: 'retry' }
}

async function ready(
  place: SessionPlace,
  ask: AskFirst,
  store: SessionStore<HarnessState>,
): Promise<Attempt> {
  const { state } = store
  const ended = isFinished(store.records) || (state?.currentState === 'DONE' && adoptedLast(store))
  if (!state || !ended) return { kind: 'ready', store, notices: [...store.notices] }
  const summary = doneReport(state)
  const answer = await ask(asked(qDone(summary)), place.slug)
  await store.close()
  if (answer === 'quit' || answer.value !== 'archive') return { kind: 'closed', exitCode: 0, lines: summary }
  await archive(place)
  return { kind: 'retry' }
}

function adoptedLast(store: SessionStore<HarnessState>): boolean {
  const last = store.records
    .filter((record) => record.type === 'transition' || record.type === 'adopted')
    .at(-1)
  return last?.type === 'adopted'
}

/** Moves a session to .harness/archive/sessions/<slug>-YYYY-MM-DD[-n] (harness.md section 1.4, Q-DONE). */
async function archive(place: SessionPlace): Promise<void> {
  const base = join(
    place.root,
    '.harness/archive/sessions',
    `${place.slug}-${new Date().toISOString().slice(0, 10)}`,
  )
  await mkdir(dirname(base), { recursive: true })
  for (let count = 1; ; count += 1) {
    const target = count === 1 ? base : `${base}-${count}`
    if (await exists(target)) continue
    await rename(join(place.root, sessionsDir, place.slug), target)
    return
  }
}

async function exists(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}
