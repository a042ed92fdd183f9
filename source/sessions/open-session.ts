import { join, posix } from 'node:path'
import { lineDiff } from '../documents/diff.js'
import type { SessionAsk } from '../ledger/session-opening.js'
import { openSessionStore, type SessionOpening, type SessionStore } from '../ledger/session-store.js'
import { Problem } from '../problem.js'
import {
  agentLines,
  canonicalJson,
  foreignEditQuestion,
  foreignRecordsQuestion,
} from '../run/aside-questions.js'
import { openElsewhere } from '../storage/lock.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import { version } from '../version.js'
import type { Answer, Question, QuestionDraft } from '../view/question.js'
import { timesText } from '../view/times.js'
import type { Adoption } from '../workflows/workflow.js'
import { archive, finishArchive } from './archive.js'
import { settleForeign } from './foreign-state.js'
import { qJournal } from './journal-questions.js'
import { sealPlaceOf } from './seal-place.js'
import type { SessionAt } from './session.js'
import {
  asked,
  type OpenElsewhere,
  qAdopt,
  qBroken,
  qDone,
  qLock,
  qRebuild,
  qRemoved,
  qTraces,
} from './session-questions.js'
import { writtenByAnother } from './strangers.js'

/** Asks before a run exists; `quit` leaves everything as it is. */
export type AskFirst = (question: Question, header: string) => Promise<Answer | 'quit'>

export type OpenedSession<State> =
  | { kind: 'ready'; store: SessionStore<State>; notices: string[] }
  /** The person closed it, or it is open elsewhere. */
  | { kind: 'closed'; exitCode: 0 | 1 | 3; lines: string[] }

/**
 * Takes a session, settling with the person whatever stands in the way: a lock, a journal that is not ours, an edit, a
 * broken or finished state. `fresh`: the project was made a moment ago, so nothing that was there before is missing.
 */
export async function openSession<State extends object>(
  session: SessionAt<State> & { fresh?: boolean },
  ask: AskFirst,
): Promise<OpenedSession<State>> {
  let again: Retry | undefined
  for (;;) {
    const opened = await tryOpen(session, telling(ask, again?.refused), again?.takeover)
    if (opened.kind !== 'retry') return opened
    again = opened
  }
}

interface Retry {
  kind: 'retry'
  takeover?: string
  /** Why the lock was not taken, though the person said so. */
  refused?: string
}

type Attempt<State> = OpenedSession<State> | Retry

/** A question about the lock that comes back says first what was wrong with the answer. */
function telling(ask: AskFirst, refused: string | undefined): AskFirst {
  if (refused === undefined) return ask
  return (question, header) =>
    ask(question.gate === 'Q-LOCK' ? { ...question, body: [refused, ...question.body] } : question, header)
}

async function tryOpen<State extends object>(
  session: SessionAt<State> & { fresh?: boolean },
  ask: AskFirst,
  takeover: string | undefined,
): Promise<Attempt<State>> {
  const { root, workflow, place } = session
  await finishArchive(session)
  if ((await settleForeign(session, ask)) === 'stop') return leftAsItIs(session)
  const opening = await openSessionStore<State>({
    dir: join(root, place.sessionDir),
    root,
    stateFile: posix.relative(place.sessionDir, place.stateFile),
    ...(place.backupFile === undefined
      ? {}
      : { backupFile: posix.relative(place.sessionDir, place.backupFile) }),
    codec: workflow.codec(place),
    version,
    seal: await sealPlaceOf(root, place),
    fresh: session.fresh === true,
    describe: async (state) => state && workflow.describe(state, { root, place }),
    ...(takeover ? { takeover } : {}),
  }).catch(bothBad)
  return settleOpening(session, ask, opening)
}

function leftAsItIs<State extends object>({ place }: SessionAt<State>): Attempt<State> {
  return { kind: 'closed', exitCode: 3, lines: [`Session ${place.slug} was left as it is.`] }
}

function bothBad(error: unknown): Problem {
  if (error instanceof Problem && error.code === 'both-bad') return error
  throw error
}

async function settleOpening<State extends object>(
  session: SessionAt<State>,
  ask: AskFirst,
  opening: SessionOpening<State> | Problem,
): Promise<Attempt<State>> {
  if (opening instanceof Problem) return broken(session, ask, opening)
  if (opening.kind === 'open') return elsewhere(session, ask, opening)
  if (opening.kind === 'ready') return ready(session, ask, opening.store)

  const before = opening.ask
  const settled = await settle(session, before, ask)
  if (settled === 'archive') {
    await opening.close()
    await archive(session)
    return { kind: 'retry' }
  }
  if (settled === 'stop') {
    await opening.close()
    return leftAsItIs(session)
  }
  const next = await opening.proceed().catch(bothBad)
  if (!(next instanceof Problem) && next.kind === 'ready' && 'foundText' in before)
    await backUp(session, next.store, before.foundText)
  return settleOpening(session, ask, next)
}

function adoptionOf<State extends object>({ workflow, place }: SessionAt<State>, text: string): Adoption {
  return workflow.adoption(text, place)
}

/** Before the first write of a file in an older format its bytes are kept. */
async function backUp<State extends object>(
  session: SessionAt<State>,
  store: SessionStore<State>,
  text: string,
): Promise<void> {
  const { backup } = adoptionOf(session, text)
  if (backup !== undefined) await store.backupOnce(backup, Buffer.from(text, 'utf8'))
}

/** What the person wants of what stands in the way; with `go on` it has been done, or `proceed` does it. */
async function settle<State extends object>(
  session: SessionAt<State>,
  before: SessionAsk<State>,
  ask: AskFirst,
): Promise<'go on' | 'stop' | 'archive'> {
  if (before.kind === 'foreign-edit') {
    const taken = session.workflow.takesEdit?.(before.expected as State, before.found, before.atWork)
    if (taken !== undefined) {
      await before.resolve(taken.kind, taken.kind === 'merge' ? taken.instead : undefined)
      return 'go on'
    }
  }
  const answer = await ask(asked(questionAbout(session, before)), session.place.slug)
  if (answer === 'quit' || answer.value === 'stop') return 'stop'
  if (answer.value === 'archive') return 'archive'
  if (before.kind === 'foreign-edit') await before.resolve(answer.value === 'accept' ? 'accept' : 'restore')
  else if (before.kind !== 'journal') await before.resolve()
  return 'go on'
}

function questionAbout<State extends object>(
  session: SessionAt<State>,
  before: SessionAsk<State>,
): QuestionDraft {
  switch (before.kind) {
    case 'adopt':
      return qAdopt(adoptionOf(session, before.foundText).lines)
    case 'foreign-edit': {
      const diff = lineDiff(canonicalJson(before.expectedText), canonicalJson(before.foundText))
      return {
        ...foreignEditQuestion(before, new Date(), session.workflow.takesEdit ? 'shared' : 'whole'),
        body: [before.path, '', ...agentLines(before.atWork), ...diff.map(sanitizeLine)],
      }
    }
    case 'rebuild':
      return qRebuild(before)
    case 'journal':
      return qJournal(before, { ...session.place, archiveDir: session.workflow.archiveDir })
    case 'foreign-records':
      return foreignRecordsQuestion(before)
    case 'removed':
      return qRemoved(before)
    case 'traces':
      return qTraces(before)
  }
}

async function elsewhere<State extends object>(
  { place }: SessionAt<State>,
  ask: AskFirst,
  found: OpenElsewhere,
): Promise<Attempt<State>> {
  const problem = openElsewhere(place.slug, found)
  const answer = await ask(asked(qLock(problem, found)), place.slug)
  if (answer === 'quit' || answer.value !== 'unlock') {
    return { kind: 'closed', exitCode: 3, lines: [problem.what, problem.why, problem.todo] }
  }
  // Another id takes nothing: the session is tried again, and if it is still open the question comes back.
  if (answer.text?.trim() === found.lockId) return { kind: 'retry', takeover: found.lockId }
  return {
    kind: 'retry',
    refused: 'What was typed is not the whole id of the lock, so nothing was taken over.',
  }
}

async function broken<State extends object>(
  session: SessionAt<State>,
  ask: AskFirst,
  problem: Problem,
): Promise<Attempt<State>> {
  const { workflow, place } = session
  const lines = [problem.what, problem.why, problem.todo]
  const answer = await ask(
    asked(qBroken(lines.map(sanitizeLine), { ...place, archiveDir: workflow.archiveDir })),
    place.slug,
  )
  if (answer === 'quit' || answer.value !== 'archive') return { kind: 'closed', exitCode: 1, lines }
  await archive(session)
  return { kind: 'retry' }
}

async function ready<State extends object>(
  session: SessionAt<State>,
  ask: AskFirst,
  store: SessionStore<State>,
): Promise<Attempt<State>> {
  const { workflow, place } = session
  const { state } = store
  const { finished, adopted, workflow: writer } = store.digest
  if (writer !== null && writer !== workflow.name) {
    await store.close()
    throw writtenByAnother(writer)
  }
  if (!state || workflow.reopens || !(finished || (workflow.isDone(state) && adopted)))
    return { kind: 'ready', store, notices: [...store.notices] }
  if (workflow.archives) {
    await store.close()
    await archive(session, state)
    return { kind: 'retry' }
  }
  const summary = [...workflow.doneReport(state), `Time: ${timesText(store.digest.times)}`]
  const answer = await ask(asked(qDone(summary, { ...place, archiveDir: workflow.archiveDir })), place.slug)
  await store.close()
  if (answer === 'quit' || answer.value !== 'archive') return { kind: 'closed', exitCode: 0, lines: summary }
  await archive(session)
  return { kind: 'retry' }
}
