import type { FactWithoutImage, JournalFact, JournalRecord } from '../ledger/journal.js'
import type { Ledger } from '../ledger/ledger.js'
import { timelineEntry } from '../ledger/timeline.js'
import { Problem } from '../problem.js'
import type { Question } from '../view/question.js'
import { diskQuestion, foreignEditQuestion } from './aside-questions.js'
import type { GateDesk } from './gate-desk.js'
import type { LiveStore } from './live-store.js'
import type { Machine } from './machine.js'
import { RunStopped, StateAdopted } from './stopped.js'

/** Writes facts and states, and settles with the person what keeps them from being written. */
export interface Saver<State> {
  append(fact: JournalFact): Promise<JournalRecord>
  saveImage(fact: FactWithoutImage, next: State): Promise<JournalRecord>
}

export function createSaver<State extends object>(parts: {
  machine: Machine<State>
  ledger: Ledger<State>
  live: LiveStore
  desk: GateDesk
  now(): Date
}): Saver<State> {
  const { machine, ledger, live, desk } = parts

  /** Asks something that cannot be put into the journal, since the journal or its state is what is wrong. */
  const askAside = async (question: Question): Promise<string> => {
    const { answer } = await desk.open(question, (open) => live.patch({ question: open }))
    live.patch({ question: undefined })
    if (answer.value === 'stop') throw new RunStopped('gate')
    return answer.value
  }

  /** A full disk and an edited state file are settled with the person; anything else ends the run. */
  const settleTrouble = async (error: unknown, before: unknown): Promise<void> => {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'disk-full') {
      live.patch({ banner: `${error.what} ${error.todo}` })
      await askAside(diskQuestion(error, parts.now()))
      return
    }
    if (error.code !== 'foreign-edit') throw error
    const ask = await ledger.foreignEdit()
    if (!ask) {
      // The state file is ours, so it is the journal that was replaced; trying for ever would not bring it back.
      if (before !== undefined) throw error
      return
    }
    if (ask.kind !== 'foreign-edit') return ask.resolve()
    const choice = await askAside(foreignEditQuestion(ask, parts.now()))
    await ask.resolve(choice === 'accept' ? 'accept' : 'restore')
    if (choice === 'accept') throw new StateAdopted()
  }

  const wrote = (record: JournalRecord): JournalRecord => {
    if (live.getSnapshot().banner !== undefined) live.patch({ banner: undefined })
    const entry = timelineEntry(record)
    if (entry) live.tell(entry)
    return record
  }

  return {
    async append(fact) {
      let before: unknown
      for (;;) {
        try {
          return wrote(await ledger.append(fact))
        } catch (error) {
          await settleTrouble(error, before)
          before = error
        }
      }
    },

    async saveImage(fact, next) {
      let before: unknown
      for (;;) {
        try {
          // A save that failed after its record was written is behind: the record stands, only the file is missing.
          const written =
            ledger.behind && ledger.state === next ? ledger.records[ledger.records.length - 1] : undefined
          if (written) await ledger.retry()
          const record = wrote(written ?? (await ledger.saveImage(fact, next)))
          live.patch({ view: machine.view(next) })
          return record
        } catch (error) {
          await settleTrouble(error, before)
          before = error
        }
      }
    },
  }
}
