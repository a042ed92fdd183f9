import { isUtf8 } from 'node:buffer'
import type { TimelineEntry, Usage } from '../view/view.js'

// One line of journal.jsonl: reliability.md section 2.

/** A change of the state file. Hashes are sha256 hex of its bytes; `before` is null if there was no file. */
export interface Image {
  before: string | null
  after: string
  /** The whole new state. */
  state: unknown
}

/** What a run tells its journal. `visit` counts the calls of state functions, `key` names a step within one. */
export type JournalFact =
  /** A process took the session. */
  | {
      type: 'opened'
      version: string
      pid: number
      runId: string
      /** Value of `--agent`, for the next time. */
      agent?: string
    }
  | {
      type: 'visit'
      visit: number
      /** Name of the state, or id of the interlude. */
      state: string
      interlude?: boolean
      /** Who wrote the visit; absent in journals of 0.1.0. */
      workflow?: string
      revision?: number
      version?: string
    }
  | { type: 'step'; visit: number; key: string; result: unknown }
  /** Written before an effect that must not happen twice. */
  | { type: 'intent'; visit: number; key: string; intent: unknown }
  | {
      type: 'dispatched'
      visit: number
      key: string
      attempt: number
      dispatchId: string
      persona: string
      title: string
      /** Id of the phase. */
      phase: string
      /** Where it works, if not in the project itself. */
      cwd?: string
      /** What the person told this dispatch at its beginning. */
      messages?: string[]
    }
  /** The conversation id of a running dispatch, as soon as it is known. */
  | { type: 'session'; visit: number; key: string; sessionId: string }
  /** A finished dispatch. */
  | {
      type: 'agent'
      visit: number
      key: string
      dispatchId: string
      reply: unknown
      persona: string
      title: string
      phase: string
      cwd?: string
    }
  /** What a dispatch used that was stopped before it had an outcome. */
  | { type: 'spent'; visit: number; key: string; dispatchId: string; phase: string; usage: Usage }
  | { type: 'asked'; visit: number; key: string; question: unknown; image?: Image }
  | {
      type: 'answered'
      visit: number
      key: string
      questionId: string
      answer: unknown
      stop: boolean
      /** Nobody had to be asked. */
      settled?: boolean
      image?: Image
    }
  /** The state changed inside a visit. */
  | { type: 'update'; visit: number; key: string; image: Image }
  | { type: 'transition'; visit: number; from: string; to: string; finished?: boolean; image: Image }
  | { type: 'note'; visit?: number; key?: string; kind: TimelineEntry['kind']; text: string }
  /** Something broken was mended while opening. */
  | { type: 'recovered'; text: string; image?: Image }
  /** A state file of another hand was taken over as it is. */
  | { type: 'adopted'; image: Image }
  | { type: 'held'; text?: string }
  | { type: 'released'; text?: string }
  | { type: 'interrupted'; text?: string }
  | { type: 'closed'; text?: string }

export interface JournalHeader {
  v: 1
  /** Unique; a second record of the same id is ignored. */
  id: string
  /** Counts the records of a journal from 1. */
  rev: number
  epoch: number
  lockId: string
  /** ISO time. */
  at: string
}

export type JournalRecord = JournalHeader & JournalFact

type FactWithImage = Extract<JournalFact, { image?: Image }>
/** A fact whose image the session store computes. */
export type FactWithoutImage = FactWithImage extends infer Fact
  ? Fact extends unknown
    ? Omit<Fact, 'image'>
    : never
  : never
export type ImageRecord = JournalRecord & { image: Image }

type Kind = 'number' | 'string' | 'boolean' | 'present'

/** Fields that each type must have; what else a record holds is kept. */
const fields: Record<JournalFact['type'], Record<string, Kind>> = {
  opened: { version: 'string', pid: 'number', runId: 'string' },
  visit: { visit: 'number', state: 'string' },
  step: { visit: 'number', key: 'string' },
  intent: { visit: 'number', key: 'string' },
  dispatched: { visit: 'number', key: 'string', attempt: 'number', dispatchId: 'string', persona: 'string' },
  session: { visit: 'number', key: 'string', sessionId: 'string' },
  agent: { visit: 'number', key: 'string', reply: 'present' },
  spent: { visit: 'number', key: 'string', dispatchId: 'string', usage: 'present' },
  asked: { visit: 'number', key: 'string', question: 'present' },
  answered: { visit: 'number', key: 'string', questionId: 'string', answer: 'present', stop: 'boolean' },
  update: { visit: 'number', key: 'string', image: 'present' },
  transition: { visit: 'number', from: 'string', to: 'string', image: 'present' },
  note: { kind: 'string', text: 'string' },
  recovered: { text: 'string' },
  adopted: { image: 'present' },
  held: {},
  released: {},
  interrupted: {},
  closed: {},
}

export function hasImage(record: JournalRecord): record is ImageRecord {
  return 'image' in record && record.image !== undefined
}

export type LineReading =
  | { kind: 'record'; record: JournalRecord; problem?: string }
  | { kind: 'blank' }
  | { kind: 'bad'; reason: string }
  /** Written by a program with a newer journal format: nothing may be appended to it. */
  | { kind: 'newer'; version: number }

/**
 * Reads one line without its newline. A run of NULs before a record, as a power cut leaves it, is cut off. `utf8` says
 * that the whole file is known to be valid.
 */
export function parseLine(line: Buffer, utf8 = false): LineReading {
  let start = 0
  while (start < line.length && line[start] === 0) start++
  let end = line.length
  if (line[end - 1] === 0x0d) end--
  if (start >= end) return start === 0 ? { kind: 'blank' } : { kind: 'bad', reason: `${start} NUL bytes` }
  const body = line.subarray(start, end)
  if (!utf8 && !isUtf8(body)) return { kind: 'bad', reason: 'invalid UTF-8' }
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    return { kind: 'bad', reason: 'invalid JSON' }
  }
  if (isNewer(value)) return { kind: 'newer', version: value.v }
  if (!isRecord(value)) return { kind: 'bad', reason: 'not a journal record' }
  return {
    kind: 'record',
    record: inTodaysWords(value),
    problem: start > 0 ? `${start} NUL bytes before a record` : undefined,
  }
}

/** Records of 0.1.0 number their phases. */
function inTodaysWords(record: JournalRecord): JournalRecord {
  if (!('phase' in record) || typeof record.phase === 'string') return record
  return { ...record, phase: String(record.phase) }
}

function isNewer(value: unknown): value is { v: number } {
  return (
    typeof value === 'object' && value !== null && 'v' in value && typeof value.v === 'number' && value.v > 1
  )
}

function isRecord(value: unknown): value is JournalRecord {
  if (typeof value !== 'object' || value === null) return false
  const record = value as Record<string, unknown>
  if (record.v !== 1 || typeof record.id !== 'string' || typeof record.rev !== 'number') return false
  if (typeof record.epoch !== 'number' || typeof record.lockId !== 'string') return false
  if (typeof record.at !== 'string' || typeof record.type !== 'string') return false
  if (!Object.hasOwn(fields, record.type)) return false
  const needed = fields[record.type as JournalFact['type']]
  for (const name in needed) {
    const kind = needed[name]
    if (kind === 'present' ? record[name] === undefined : typeof record[name] !== kind) return false
  }
  return record.image === undefined || isImage(record.image)
}

function isImage(value: unknown): value is Image {
  if (typeof value !== 'object' || value === null) return false
  const image = value as Record<string, unknown>
  const beforeFits = image.before === null || typeof image.before === 'string'
  return (
    beforeFits && typeof image.after === 'string' && typeof image.state === 'object' && image.state !== null
  )
}
