import type { FactWithoutImage, JournalFact, JournalRecord } from '../ledger/journal-record.js'
import type { Ledger } from '../ledger/ledger.js'
import type { SessionAsk } from '../ledger/session-opening.js'
import { timelineEntry } from '../ledger/timeline.js'
import { fullDisk, Problem } from '../problem.js'
import type { Question } from '../view/question.js'
import {
  diskQuestion,
  foreignEditQuestion,
  foreignRecordsQuestion,
  journalChangedQuestion,
} from './aside-questions.js'
import type { GateDesk } from './gate-desk.js'
import { type Hide, hiddenQuestion } from './hidden.js'
import type { LiveStore } from './live-store.js'
import type { Machine } from './machine.js'
import { RunStopped, StateAdopted } from './stopped.js'

/**
 * Writes facts and states, one after the other, and settles with the person what keeps them from being written: while
 * that lasts nothing else is written.
 */
export interface Saver<State> {
  append(fact: JournalFact): Promise<JournalRecord>
  /** `change` makes the next state from the newest one, which another agent's step may just have saved. */
  saveImage(fact: FactWithoutImage, change: (latest: State | undefined) => State): Promise<JournalRecord>
  /** Does what writes files; where the disk has no room for them it is done once more when the person says so. */
  withRoom<Result>(action: () => Promise<Result>): Promise<Result>
}

export interface SaverParts<State extends object> {
  machine: Machine<State>
  ledger: Ledger<State>
  live: LiveStore
  desk: GateDesk
  now(): Date
  /** Hides secrets in what is asked; see RunParts. */
  hide?: Hide | undefined
}

export function createSaver<State extends object>(parts: SaverParts<State>): Saver<State> {
  const { machine, ledger, live } = parts
  let queue: Promise<unknown> = Promise.resolve()

  function inTurn(write: () => Promise<JournalRecord>, onEdit?: OnEdit<State>): Promise<JournalRecord> {
    const done = queue.then(() => untilWritten(parts, write, onEdit))
    queue = done.catch(() => undefined)
    return done.then((record) => wrote(parts, record))
  }

  return {
    append: (fact) => inTurn(() => ledger.append(fact)),
    async withRoom(action) {
      for (;;) {
        try {
          return await action()
        } catch (error) {
          const problem = fullDisk(error)
          if (!problem) throw error
          await settleTrouble(parts, { error: problem, before: undefined }, undefined)
          live.patch({ banner: undefined })
        }
      }
    },
    saveImage(fact, change) {
      let begun = false
      let merged: { state: State } | undefined
      const onEdit: OnEdit<State> = async (ask, prefer) => {
        if (ledger.behind || !machine.merge) return false
        const base = ask.expected as State
        const state = machine.merge(base, merged?.state ?? change(base), ask.found, prefer)
        if (state === undefined) return false
        await ask.resolve('merge')
        merged = { state }
        return true
      }
      return inTurn(async () => {
        // A save that failed after its record was written is behind: the record stands, only the file is missing.
        const behind = await ledger.retry()
        const record = (begun ? behind : undefined) ?? (await write())
        live.patch({ view: machine.view(ledger.state) })
        return record
      }, onEdit)

      function write(): Promise<JournalRecord> {
        begun = true
        return ledger.saveImage(fact, merged?.state ?? change(ledger.state))
      }
    },
  }
}

/** Takes an edit of another hand into what is being saved; false where a person has to decide. */
type OnEdit<State> = (
  ask: Extract<SessionAsk<State>, { kind: 'foreign-edit' }>,
  prefer?: 'ours' | 'theirs',
) => Promise<boolean>

/** Tries until it is on the disk, or the person or the trouble ends it. */
async function untilWritten<State extends object>(
  parts: SaverParts<State>,
  write: () => Promise<JournalRecord>,
  onEdit: OnEdit<State> | undefined,
): Promise<JournalRecord> {
  for (let before: unknown; ; ) {
    try {
      return await write()
    } catch (error) {
      await settleTrouble(parts, { error, before }, onEdit)
      before = error
    }
  }
}

/** A full disk and an edited state file are settled with the person; anything else ends the run. */
async function settleTrouble<State extends object>(
  parts: SaverParts<State>,
  { error, before }: { error: unknown; before: unknown },
  onEdit: OnEdit<State> | undefined,
): Promise<void> {
  const { ledger, live } = parts
  if (!(error instanceof Problem)) throw error
  if (error.code === 'disk-full') {
    live.patch({ banner: `${error.what} ${error.todo}` })
    await askBeside(parts, diskQuestion(error, parts.now()))
    return
  }
  if (error.code !== 'foreign-edit') throw error
  const ask = await ledger.foreignEdit()
  if (!ask) {
    // The state file is ours, so it is the journal that was replaced; trying for ever would not bring it back.
    if (before !== undefined) throw error
    return
  }
  if (ask.kind === 'foreign-records') {
    const id = `foreign-${parts.now().getTime()}`
    await askBeside(parts, { ...foreignRecordsQuestion(ask), id, askedAt: parts.now().toISOString() })
    return ask.resolve()
  }
  if (ask.kind === 'journal-changed') {
    await askBeside(parts, journalChangedQuestion(ask.path, parts.now()))
    return
  }
  if (ask.kind === 'rebuild') return ask.resolve()
  if (ask.kind !== 'foreign-edit') throw error
  if (await onEdit?.(ask)) return
  const how = parts.machine.merge ? 'merged' : 'whole'
  const choice = await askBeside(parts, foreignEditQuestion(ask, parts.now(), how))
  if (await onEdit?.(ask, choice === 'accept' ? 'theirs' : 'ours')) return
  await ask.resolve(choice === 'accept' ? 'accept' : 'restore')
  if (choice === 'accept') throw new StateAdopted()
}

/** Asks something that cannot be put into the journal, since the journal or its state is what is wrong. */
async function askBeside<State extends object>(
  { desk, hide }: SaverParts<State>,
  question: Question,
): Promise<string> {
  const { answer } = await desk.urgent(hide ? hiddenQuestion(hide, question) : question)
  if (answer.value === 'stop') throw new RunStopped('gate')
  return answer.value
}

function wrote<State extends object>(
  { live, ledger }: SaverParts<State>,
  record: JournalRecord,
): JournalRecord {
  const { times, workByPhase } = ledger.digest
  live.patch({ times, timesAt: Date.parse(record.at), phaseWork: new Map(workByPhase) })
  if (live.getSnapshot().banner !== undefined) live.patch({ banner: undefined })
  const asked = record.type === 'answered' ? ledger.visit.find('asked', record.key)?.question : undefined
  const entry = timelineEntry(record, asked as Question | undefined)
  if (entry) live.tell(entry)
  return record
}
