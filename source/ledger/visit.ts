import type { Question } from '../view/question.js'
import { hasImage, type JournalRecord } from './journal-record.js'

type Of<T extends JournalRecord['type']> = Extract<JournalRecord, { type: T }>

/** What a person answered in a visit that is begun again; used up when the same is asked there. */
export interface KeptAnswer {
  question: Question
  /** As recorded: the answer and its subject. */
  answer: unknown
}

/** A dispatch that ended without an outcome: it was stopped, or broken off with the whole program. */
export interface BrokenDispatch {
  dispatchId: string
  /** What was seen before it began. */
  before?: unknown
  /** What it has left; absent where the program ended before anybody could look. */
  left?: unknown
}

/** One call of a state function, with the records that it has left so far. */
export interface Visit {
  /** Counts the visits of a session from 1; 0 before the first. */
  readonly number: number
  /** Name of the state, or id of the interlude; empty between two visits. */
  readonly state: string
  /** It is an interlude that the person asked for. */
  readonly interlude: boolean
  /** Workflow of the program that began it; undefined in visits of 0.1.0. */
  readonly workflow: string | undefined
  /** Revision of the state function that began it; 0 in visits of 0.1.0. */
  readonly revision: number
  /** The state with which it began; undefined in the first visit of a session. */
  readonly startState: unknown
  /** A lost line took away a state that a replay would need. */
  readonly damaged: boolean
  /** Answers of the visit that this one begins again. */
  readonly kept: readonly KeptAnswer[]
  /** The newest record of this type and key. */
  find<T extends JournalRecord['type']>(type: T, key: string): Of<T> | undefined
  count(type: JournalRecord['type'], key: string): number
  /** A dispatch has begun, and the state was not saved since its outcome: what was changed since may be its work. */
  readonly atWork: boolean
  /** A dispatch has begun in it. */
  readonly worked: boolean
  /** Dispatches without an outcome whose work nobody has done since. */
  readonly unfinished: readonly BrokenDispatch[]
  /** Dispatches of this key that have no outcome, oldest first. */
  broken(key: string): readonly BrokenDispatch[]
  /** The state as it was saved by this update. */
  stateAfter(key: string): unknown
  /** Notes that code asks for a step (`step k`, `agent k`, `ask k`, `update k`, `note k`); false the second time. */
  claim(step: string): boolean
  /** The state function is called again: it may claim everything once more, and finds all that is there. */
  restart(): void
  /** Steps that an earlier process has left and nobody has asked for, in the order of their first records. */
  leftovers(): string[]
}

export interface GrowingVisit extends Visit {
  /** `own`: written by this process, not found in the journal. `state`: the newest one after this record. */
  add(record: JournalRecord, own: boolean, state: unknown): void
}

export interface VisitBegin {
  number: number
  state: string
  interlude?: boolean
  workflow?: string | undefined
  revision?: number
  startState?: unknown
  /** A state must have been there, but nobody knows it. */
  damaged?: boolean
  kept?: readonly KeptAnswer[]
}

export function beginVisit(begin: VisitBegin): GrowingVisit {
  const newest = new Map<string, JournalRecord>()
  const counts = new Map<string, number>()
  const states = new Map<string, unknown>()
  const broken = new Map<string, BrokenDispatch[]>()
  const working = new Set<string>()
  let hasEnded = false
  let worked = false
  const claimed = new Set<string>()
  /** Claimed since the visit was opened, also before a restart. */
  const wanted = new Set<string>()
  const found = new Set<string>()
  let damaged = begin.damaged ?? false
  let used: readonly KeptAnswer[] = begin.kept ?? []
  return {
    number: begin.number,
    state: begin.state,
    interlude: begin.interlude ?? false,
    workflow: begin.workflow,
    revision: begin.revision ?? 0,
    startState: begin.startState,
    get damaged() {
      return damaged
    },
    get kept() {
      return used
    },
    find: <T extends JournalRecord['type']>(type: T, key: string) =>
      newest.get(`${type} ${key}`) as Of<T> | undefined,
    count: (type, key) => counts.get(`${type} ${key}`) ?? 0,
    get atWork() {
      return working.size > 0 || hasEnded
    },
    get worked() {
      return worked
    },
    get unfinished() {
      return [...working].flatMap((key) => broken.get(key) ?? [])
    },
    broken: (key) => broken.get(key) ?? [],
    stateAfter: (key) => states.get(key),
    claim(step) {
      if (claimed.has(step)) return false
      claimed.add(step)
      wanted.add(step)
      return true
    },
    restart: () => claimed.clear(),
    leftovers: () => [...found].filter((step) => !wanted.has(step)),
    add(record, own, state) {
      if (!('key' in record) || record.key === undefined) return
      const name = `${record.type} ${record.key}`
      newest.set(name, record)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      takeDispatch(broken, record)
      if (record.type === 'dispatched') {
        working.add(record.key)
        worked = true
      } else if (record.type === 'agent') hasEnded = working.delete(record.key)
      else if (hasImage(record)) hasEnded = false
      if (record.type === 'update') {
        states.set(record.key, state)
        if (state === undefined) damaged = true
      }
      if (record.type === 'answered' && record.kept) used = withoutFirst(used, record)
      const step = stepOf(record)
      if (step !== undefined && !own) found.add(step)
    },
  }
}

/** What a person answered in an interrupted visit, for the one that begins it again. */
export function keptAnswers(visit: Visit, asked: readonly string[]): KeptAnswer[] {
  const own = asked.flatMap((key): KeptAnswer[] => {
    const question = visit.find('asked', key)
    const answered = visit.find('answered', key)
    if (!question || !answered || answered.stop || answered.settled || answered.aside) return []
    return [{ question: question.question as Question, answer: answered.answer }]
  })
  return [...visit.kept, ...own]
}

/** Follows which dispatches have begun and have no outcome. */
function takeDispatch(all: Map<string, BrokenDispatch[]>, record: JournalRecord): void {
  if (record.type === 'dispatched') {
    const { key, dispatchId, before } = record
    all.set(key, [...(all.get(key) ?? []), before === undefined ? { dispatchId } : { dispatchId, before }])
  } else if (record.type === 'spent' && record.left !== undefined) {
    const { key, dispatchId, left } = record
    const ones = all.get(key) ?? []
    all.set(
      key,
      ones.map((one) => (one.dispatchId === dispatchId ? { ...one, left } : one)),
    )
  } else if (record.type === 'agent') {
    const ones = all.get(record.key) ?? []
    all.set(
      record.key,
      ones.filter(({ dispatchId }) => dispatchId !== record.dispatchId),
    )
  }
}

/**
 * The name by which code claims what a record belongs to. Records beside the state function belong to nothing, and a
 * question that nobody has answered, or answered only by stopping, has done nothing: what is typed next may make it needless.
 */
function stepOf(record: JournalRecord): string | undefined {
  if (!('key' in record) || record.key === undefined) return undefined
  switch (record.type) {
    case 'step':
    case 'intent':
      return `step ${record.key}`
    case 'agent':
    case 'dispatched':
    case 'spent':
      return `agent ${record.key}`
    case 'answered':
      return record.aside || record.stop ? undefined : `ask ${record.key}`
    case 'update':
      return `update ${record.key}`
    case 'note':
      return record.visit === undefined ? undefined : `note ${record.key}`
    default:
      return undefined
  }
}

/** One use of a kept answer takes one of them away. */
function withoutFirst(kept: readonly KeptAnswer[], { answer }: Of<'answered'>): KeptAnswer[] {
  const wanted = JSON.stringify(answer)
  const at = kept.findIndex((one) => JSON.stringify(one.answer) === wanted)
  return kept.filter((_, index) => index !== at)
}
