import { isUtf8 } from 'node:buffer'
import { recordedAnswer, recordedQuestion } from '../view/recorded-question.js'
import { isFact, type JournalFact, type JournalHeader, type JournalRecord } from './journal-record.js'

// The one place where a line of the journal is made, and the one where it is read (docs/durability.md).

/** Format of the lines that this version writes; it reads all from 1 on. */
const format = 2

/** One line with its newline, and the record as it will be read again: later changes of the fact cannot reach it. */
export function makeLine(
  header: Omit<JournalHeader, 'v' | 'at'>,
  fact: JournalFact,
): { text: string; record: JournalRecord } {
  const text = JSON.stringify({ v: format, ...header, at: new Date().toISOString(), ...fact })
  return { text: `${text}\n`, record: JSON.parse(text) as JournalRecord }
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
