import { isUtf8 } from 'node:buffer'
import { type SealKey, sealHolds, sealOf } from '../secrets/hmac.js'
import { recordedAnswer, recordedQuestion } from '../view/recorded-question.js'
import { isFact, type JournalFact, type JournalHeader, type JournalRecord } from './journal-record.js'

// The one place where a line of the journal is made, and the one where it is read (docs/durability.md, "The seal").

/** Format of the lines that this version writes; it reads all from 1 on. */
const format = 2

/** What the first line of a chain names as the line before it. */
export const noLineBefore = '0'.repeat(64)

export interface LineChain {
  key: SealKey
  /** sha256 hex of the line before, without its newline. */
  prev: string
}

/**
 * One line with its newline, and the record as it will be read again: later changes of the fact cannot reach it. It
 * ends with the hash of the line before and a seal over everything in front of the seal.
 */
export function makeLine(
  header: Omit<JournalHeader, 'v' | 'at' | 'prev' | 'mac'>,
  fact: JournalFact,
  { key, prev }: LineChain,
): { text: string; record: JournalRecord } {
  const body = JSON.stringify({ v: format, ...header, at: new Date().toISOString(), ...fact, prev }).slice(
    0,
    -1,
  )
  const text = `${body}${macBegin}${sealOf(key, body)}${lineEnd}`
  return { text: `${text}\n`, record: JSON.parse(text) as JournalRecord }
}

const prevBegin = ',"prev":"'
const macBegin = ',"mac":"'
const lineEnd = '"}'
const hashLength = 64
const macAt = macBegin.length + hashLength + lineEnd.length
const prevAt = macAt + 1 + hashLength + prevBegin.length

/** The line that a line says it follows, if its seal holds; undefined for a line that was not sealed with this key. */
export function followedBy(line: Buffer, key: SealKey): string | undefined {
  const bodyEnd = line.length - macAt
  const prevStart = line.length - prevAt
  if (prevStart <= 0) return undefined
  const tail = line.toString('latin1', prevStart)
  const prev = tail.slice(prevBegin.length, prevBegin.length + hashLength)
  const mac = tail.slice(-hashLength - lineEnd.length, -lineEnd.length)
  if (tail !== `${prevBegin}${prev}"${macBegin}${mac}${lineEnd}`) return undefined
  return sealHolds(key, line.subarray(0, bodyEnd), mac) ? prev : undefined
}

/** True if a line names this one as the line before it. Says nothing of who wrote it: its own seal is not looked at. */
export function namesBefore(line: Buffer, prev: string): boolean {
  const start = line.length - prevAt
  if (start <= 0) return false
  const text = line.toString('latin1', start, line.length - hashLength - lineEnd.length)
  return text === `${prevBegin}${prev}"${macBegin}`
}

export type LineReading =
  | { kind: 'record'; record: JournalRecord; problem?: string }
  | { kind: 'blank' }
  | { kind: 'bad'; reason: string }
  /** Written by a program with a newer journal format: nothing may be appended to it. */
  | { kind: 'newer'; version: number }

/** Reads one line without its newline. A run of NULs before a record, as a power cut leaves it, is cut off. */
export function readLine(line: Buffer): LineReading {
  let start = 0
  while (start < line.length && line[start] === 0) start++
  let end = line.length
  if (line[end - 1] === 0x0d) end--
  if (start >= end) return start === 0 ? { kind: 'blank' } : { kind: 'bad', reason: `${start} NUL bytes` }
  const body = line.subarray(start, end)
  if (!isUtf8(body)) return { kind: 'bad', reason: 'invalid UTF-8' }
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    return { kind: 'bad', reason: 'invalid JSON' }
  }
  if (isNewer(value)) return { kind: 'newer', version: value.v }
  if (!isRecord(value)) return { kind: 'bad', reason: 'not a journal record' }
  const record = inTodaysWords(value)
  return start > 0
    ? { kind: 'record', record, problem: `${start} NUL bytes before a record` }
    : { kind: 'record', record }
}

const stepHead =
  /^\{"v":2,"id":"([0-9a-f-]{36})","rev":(\d{1,15}),"epoch":(\d{1,15}),"lockId":"([0-9a-f-]{36})","at":"([0-9TZ:.-]{24})","type":"step",/
const headBytes = 200

/**
 * The result of a step whose content is read when somebody asks for it: of visits that are over nobody does. Only for lines
 * that are known to be as we wrote them; undefined for any other record.
 */
export function readStepLater(line: Buffer): LineReading | undefined {
  const head = stepHead.exec(line.toString('latin1', 0, headBytes))
  if (!head) return undefined
  const [, id = '', rev, epoch, lockId = '', at = ''] = head
  return {
    kind: 'record',
    record: new StepLater({ id, rev: Number(rev), epoch: Number(epoch), lockId, at }, line),
  }
}

type Step = Extract<JournalRecord, { type: 'step' }>

/** A class, as an object that brings its own accessors costs more than reading the whole line. */
class StepLater implements Step {
  readonly v = format
  readonly type = 'step'
  readonly id: string
  readonly rev: number
  readonly epoch: number
  readonly lockId: string
  readonly at: string
  readonly #line: Buffer
  #whole: Step | undefined

  constructor(head: Pick<Step, 'id' | 'rev' | 'epoch' | 'lockId' | 'at'>, line: Buffer) {
    this.id = head.id
    this.rev = head.rev
    this.epoch = head.epoch
    this.lockId = head.lockId
    this.at = head.at
    this.#line = line
  }

  get visit() {
    return this.#read().visit
  }
  get key() {
    return this.#read().key
  }
  get result() {
    return this.#read().result
  }

  #read(): Step {
    this.#whole ??= JSON.parse(this.#line.toString('utf8')) as Step
    return this.#whole
  }
}

/** Records of 0.1.0 number their phases, and have other words for the list of a question. */
function inTodaysWords(record: JournalRecord): JournalRecord {
  if (record.v !== 1) return record
  if (record.type === 'asked' && isObject(record.question))
    return { ...record, question: recordedQuestion(record.question) }
  if (record.type === 'answered' && isObject(record.answer) && isObject(record.answer.answer)) {
    const { answer, ...rest } = record.answer
    return { ...record, answer: { ...rest, answer: recordedAnswer(answer) } }
  }
  if (!('phase' in record) || typeof record.phase === 'string') return record
  return { ...record, phase: String(record.phase) }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isNewer(value: unknown): value is { v: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'v' in value &&
    typeof value.v === 'number' &&
    value.v > format
  )
}

function isRecord(value: unknown): value is JournalRecord {
  if (typeof value !== 'object' || value === null) return false
  const record = value as Record<string, unknown>
  if (record.v !== 1 && record.v !== format) return false
  if (typeof record.id !== 'string' || typeof record.rev !== 'number') return false
  if (typeof record.epoch !== 'number' || typeof record.lockId !== 'string') return false
  return typeof record.at === 'string' && isFact(record)
}
