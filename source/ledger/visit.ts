import type { JournalRecord } from './journal.js'

type Of<T extends JournalRecord['type']> = Extract<JournalRecord, { type: T }>

/** One call of a state function, with the records that it has left so far. */
export interface Visit {
  /** Counts the visits of a session from 1; 0 before the first. */
  readonly number: number
  /** Name of the state; empty between two visits. */
  readonly state: string
  /** It is an interlude that the person asked for, and `state` its id. */
  readonly interlude: boolean
  /** Workflow of the program that began it; undefined in visits of 0.1.0. */
  readonly workflow: string | undefined
  /** Revision of the state function that began it; 0 in visits of 0.1.0. */
  readonly revision: number
  /** The newest record of this type and key. */
  find<T extends JournalRecord['type']>(type: T, key: string): Of<T> | undefined
  count(type: JournalRecord['type'], key: string): number
  add(record: JournalRecord): void
}

export type VisitBegin = Pick<Visit, 'number' | 'state'> &
  Partial<Pick<Visit, 'interlude' | 'workflow' | 'revision'>>

export function emptyVisit(begin: VisitBegin): Visit {
  const newest = new Map<string, JournalRecord>()
  const counts = new Map<string, number>()
  return {
    number: begin.number,
    state: begin.state,
    interlude: begin.interlude ?? false,
    workflow: begin.workflow,
    revision: begin.revision ?? 0,
    find: <T extends JournalRecord['type']>(type: T, key: string) =>
      newest.get(`${type} ${key}`) as Of<T> | undefined,
    count: (type, key) => counts.get(`${type} ${key}`) ?? 0,
    add(record) {
      if (!('key' in record) || record.key === undefined) return
      const name = `${record.type} ${record.key}`
      newest.set(name, record)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    },
  }
}

function visitOf({ visit, state, interlude, workflow, revision }: Of<'visit'>): Visit {
  return emptyVisit({
    number: visit,
    state,
    ...(interlude ? { interlude } : {}),
    ...(workflow === undefined ? {} : { workflow }),
    ...(revision === undefined ? {} : { revision }),
  })
}

/** The visit that a journal ends in; without a state name when its transition was recorded. */
export function visitFrom(records: readonly JournalRecord[]): Visit {
  let visit = emptyVisit({ number: 0, state: '' })
  for (const record of records) {
    if (record.type === 'visit') visit = visitOf(record)
    else if (record.type === 'transition' || record.type === 'adopted')
      visit = emptyVisit({ number: visit.number, state: '' })
    else visit.add(record)
  }
  return visit
}

/** The state with which the interrupted visit began: what a state function is called with again. */
export function stateAtVisitStart<State>(records: readonly JournalRecord[]): State | undefined {
  let newest: State | undefined
  let atStart: State | undefined
  for (const record of records) {
    if (record.type === 'visit') atStart = newest
    if ('image' in record && record.image) {
      newest = record.image.state as State
      if (record.type === 'transition' || record.type === 'adopted') atStart = newest
    }
  }
  return atStart
}
