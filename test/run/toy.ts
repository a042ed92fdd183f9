import { join } from 'node:path'
import { z } from 'zod'
import { type JournalFact, type JournalRecord, readJournal } from '../../source/ledger/journal.js'
import type { Ledger } from '../../source/ledger/ledger.js'
import { openSessionStore, type SessionStore } from '../../source/ledger/session-store.js'
import { jsonCodec } from '../../source/ledger/state-codec.js'
import { createControls } from '../../source/run/controls.js'
import { drive } from '../../source/run/drive.js'
import { createRun, type DrivenRun } from '../../source/run/durable-run.js'
import { createHold } from '../../source/run/hold.js'
import { createLiveStore, type LiveStore } from '../../source/run/live-store.js'
import type { Machine } from '../../source/run/machine.js'
import type { Run } from '../../source/run/run.js'
import type { Answer, Question, QuestionDraft } from '../../source/view/question.js'
import type { RunControls } from '../../source/view/view.js'
import { sealIn } from '../support/seal.js'
import { snapshotOf } from '../ui/fixtures.js'

// A workflow of one state over a real session on disk, in processes that can be killed at a line of their journal.

export const toySchema = z.looseObject({ at: z.string(), done: z.array(z.string()) })
export type Toy = z.infer<typeof toySchema>

export type Work = (state: Toy, run: Run<Toy>) => Promise<unknown>

/** Its one state does the given work and ends the workflow. */
export function toyMachine(work: Work, change: Partial<Machine<Toy>> = {}): Machine<Toy> {
  return {
    workflow: 'toy',
    revisions: {},
    open: async () => ({ at: 'WORK', done: [] }),
    resume: async () => {},
    states: {
      WORK: async (state, run) => {
        await work(state, run)
        return { change: (latest) => ({ ...latest, at: 'DONE' }), finished: true }
      },
    },
    interludes: {},
    nameOf: (state) => state.at,
    view: () => snapshotOf().view,
    withQuestion: ({ pending: _before, ...state }, question) =>
      (question ? { ...state, pending: question.gate } : state) as Toy,
    ...change,
  }
}

export const yesOrNo = (title: string, change: Partial<QuestionDraft> = {}): QuestionDraft => ({
  gate: 'Q-TOY',
  title,
  body: [],
  options: [
    { value: 'yes', label: 'yes', consequence: '' },
    { value: 'no', label: 'no', consequence: '' },
    { value: 'stop', label: 'stop', consequence: '', stops: true },
  ],
  ...change,
})

export interface ToyProcess {
  store: SessionStore<Toy>
  run: DrivenRun<Toy>
  live: LiveStore
  controls: RunControls
  asked: Question[]
  leftovers: string[][]
  stop(): void
  /** Drives to the end; after a kill it never settles. */
  ended: Promise<Toy>
  /** Resolves at the line at which it was to be killed. */
  killed: Promise<void>
}

export interface ToyOptions {
  answer?: (question: Question) => Answer | undefined
  /** Dies right after this many lines that it wrote. */
  killAfter?: number
  hide?: (text: string) => string
}

/** A ledger that stops answering after so many lines, as the disk of a killed process does. */
function dying(store: SessionStore<Toy>, lines: number, dead: () => void): Ledger<Toy> {
  let left = lines
  const never = () => new Promise<never>(() => {})
  const counted = async (write: () => Promise<JournalRecord>): Promise<JournalRecord> => {
    if (left <= 0) return never()
    left -= 1
    const record = await write()
    if (left > 0) return record
    dead()
    return never()
  }
  return Object.create(store, {
    append: { value: (fact: JournalFact) => counted(() => store.append(fact)) },
    saveImage: {
      value: (...given: Parameters<typeof store.saveImage>) => counted(() => store.saveImage(...given)),
    },
  }) as Ledger<Toy>
}

export async function openToy(root: string, takeover?: string): Promise<SessionStore<Toy>> {
  const opening = await openSessionStore<Toy>({
    dir: join(root, 'session'),
    root,
    stateFile: 'state.json',
    codec: jsonCodec(toySchema),
    version: 'test',
    seal: sealIn(join(root, 'session')),
    ...(takeover === undefined ? {} : { takeover }),
  })
  // A journal without a seal is taken over as it stands.
  const unsealed = opening.kind === 'ask' && opening.ask.kind === 'journal' && opening.ask.finding.kind
  const opened = opening.kind === 'ask' && unsealed === 'unsealed' ? await opening.proceed() : opening
  if (opened.kind !== 'ready') throw new Error(`not ready: ${opened.kind}`)
  return opened.store
}

/** One process of ours on an opened session. */
export function startToy(
  store: SessionStore<Toy>,
  machine: Machine<Toy>,
  { answer, killAfter, hide }: ToyOptions = {},
): ToyProcess {
  const stopping = new AbortController()
  const live = createLiveStore(snapshotOf({ panes: [], phaseUsage: new Map(), timeline: [] }))
  let dead = () => {}
  const killed = new Promise<void>((resolve) => {
    dead = resolve
  })
  const ledger = killAfter === undefined ? store : dying(store, killAfter, () => dead())
  const asked: Question[] = []
  const leftovers: string[][] = []
  const hold = createHold()
  const stop = () => stopping.abort()
  const run = createRun({
    machine,
    ledger,
    live,
    hold,
    signal: stopping.signal,
    stop,
    now: () => new Date('2030-04-03T09:00:00.000Z'),
    onLeftovers: (steps) => leftovers.push([...steps]),
    ...(hide ? { hide } : {}),
  })
  live.subscribe(() => {
    const { question } = live.getSnapshot()
    if (!question || asked.at(-1) === question) return
    asked.push(question)
    const given = answer?.(question)
    if (given) setImmediate(() => run.desk.answer(question.id, given))
  })
  const controls = createControls({ run, hold, live, stop, interlude: () => {} })
  const ended = (async () => {
    await ledger.append({ type: 'opened', version: 'test', pid: 1, runId: 'run' })
    return drive(machine, ledger, run, { take: () => undefined })
  })()
  ended.catch(() => undefined)
  return { store, run, live, controls, asked, leftovers, stop, ended, killed }
}

export const recordsOf = async (root: string) =>
  (await readJournal(join(root, 'session', 'journal.jsonl'))).records

/** A reply of an agent that did its work. */
export const reply = (text: string) => ({ ok: true, text, usage: { inputTokens: 10, outputTokens: 1 } })
