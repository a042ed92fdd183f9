import type { FileHandle } from 'node:fs/promises'
import { Problem } from '../problem.js'
import { closingAfter, openVerified } from '../storage/durable-file.js'
import { hashOf } from '../storage/json-text.js'
import type { Chain } from './journal-chain.js'
import { noLineBefore, readLine, readStepLater } from './journal-line.js'
import type { JournalRecord } from './journal-record.js'

// Reads a journal line by line, so that its length never lies in memory (docs/durability.md).

/** Where a journal ends, or ended when this was written down: enough to tell whether it is still the same one. */
export interface JournalEnd {
  /** Bytes up to the end of the last complete line. */
  size: number
  /** Complete lines, those that could not be read included. */
  lines: number
  /** sha256 hex of the last complete line without its newline, and its length in bytes. */
  lastHash: string
  lastSize: number
  /** Of the last record that counts. */
  rev: number
  epoch: number
  /** What the next line names as the line before it. */
  chain: string
}

export const emptyEnd: JournalEnd = {
  size: 0,
  lines: 0,
  lastHash: '',
  lastSize: 0,
  rev: 0,
  epoch: 0,
  chain: noLineBefore,
}

/** What was read: the records went to the visitor, in order. */
export interface JournalScan {
  /** Without the lines that are foreign to the chain, as if they were cut out. */
  end: JournalEnd
  /** One line for a person about everything that was passed over. */
  problems: string[]
  /** Complete lines that could not be read: each may have held a state. */
  lostLines: number
  /** Bytes after the end: a record that was being written when its writer died, or is being written now. */
  torn: Buffer
  missing: boolean
}

const maxJournalBytes = 2 ** 30
const chunkBytes = 1024 * 1024

/**
 * Hands every record that counts to `each`, oldest first, from the given end on (default: all). With a chain only those
 * that belong to it count. Changes nothing, and may run while another process writes. Problems: `newer-version`,
 * `unreadable`, `storage`.
 */
export async function scanJournal(
  path: string,
  each: (record: JournalRecord) => void,
  from: JournalEnd = emptyEnd,
  chain?: Chain,
): Promise<JournalScan> {
  const scan: JournalScan = {
    end: { ...from },
    problems: [],
    lostLines: 0,
    torn: Buffer.alloc(0),
    missing: false,
  }
  const opened = await openVerified(path, maxJournalBytes)
  if (opened.kind === 'missing') return { ...scan, end: emptyEnd, missing: true }
  if (opened.kind === 'unreadable') throw unreadable(path, opened.reason)
  const taking: Taking = {
    scan,
    ids: new Set(),
    each,
    chain,
    offset: from.size,
    line: from.lines,
    last: undefined,
  }
  scan.torn = await closingAfter(path, opened.file, () =>
    eachLine(opened.file, from.size, (line) => takeLine(path, line, taking)),
  )
  if (taking.last) scan.end.lastHash = hashOf(taking.last)
  scan.end.chain = chain?.last ?? scan.end.lastHash
  return scan
}

/** True if a journal still has the line that it ended with when `end` was written down. One short read. */
export async function stillEndsWith(path: string, end: JournalEnd): Promise<boolean> {
  if (end.size === 0) return true
  const opened = await openVerified(path, maxJournalBytes)
  if (opened.kind !== 'ok') return false
  return closingAfter(path, opened.file, async () => {
    if (opened.size < end.size || end.lastSize >= end.size) return false
    const wanted = end.lastSize + 1
    const { buffer, bytesRead } = await opened.file.read(Buffer.alloc(wanted), 0, wanted, end.size - wanted)
    if (bytesRead !== wanted || buffer[end.lastSize] !== 0x0a) return false
    return hashOf(buffer.subarray(0, end.lastSize)) === end.lastHash
  })
}

/** Calls `take` with every line that ends in a newline; returns the bytes after the last one. */
async function eachLine(file: FileHandle, from: number, take: (line: Buffer) => void): Promise<Buffer> {
  let open: Buffer[] = []
  for (let position = from; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position)
    if (bytesRead === 0) return Buffer.concat(open)
    position += bytesRead
    const chunk = buffer.subarray(0, bytesRead)
    let start = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      const rest = chunk.subarray(start, end)
      take(open.length > 0 ? Buffer.concat([...open, rest]) : rest)
      open = []
      start = end + 1
    }
    if (start < chunk.length) open.push(chunk.subarray(start))
  }
}

interface Taking {
  scan: JournalScan
  ids: Set<string>
  each(record: JournalRecord): void
  chain: Chain | undefined
  /** Where the next line begins, and how many were there before it, foreign ones included. */
  offset: number
  line: number
  /** The last line that is not foreign. */
  last: Buffer | undefined
}

function takeLine(path: string, line: Buffer, taking: Taking): void {
  const { scan, ids, chain, offset } = taking
  const { end } = scan
  const at = `at offset ${offset}`
  taking.offset += line.length + 1
  taking.line += 1
  const isOurs = chain?.isQuick === true && offset >= chain.from
  const reading = (isOurs ? readStepLater(line) : undefined) ?? readLine(line)
  const knownId = !isOurs && reading.kind === 'record' && ids.has(reading.record.id)
  const is = chain?.take(line, reading, { offset, line: taking.line, epoch: end.epoch, knownId }) ?? 'counts'
  if (is === 'foreign') return
  end.size += line.length + 1
  end.lines += 1
  end.lastSize = line.length
  taking.last = line
  if (reading.kind === 'newer') throw newer(path, reading.version)
  if (reading.kind === 'blank') return
  if (reading.kind === 'bad') {
    scan.lostLines++
    scan.problems.push(`a line ${at} was skipped: ${reading.reason}`)
    return
  }
  const { record } = reading
  if (reading.problem) scan.problems.push(`${reading.problem} ${at}`)
  if (knownId) {
    scan.problems.push(`a second record of the same id ${at} was ignored`)
    return
  }
  if (!isOurs) ids.add(record.id)
  if (is === 'void' || record.epoch < end.epoch) {
    scan.problems.push(`a record ${at} was written by a process that had lost the session, and was ignored`)
    return
  }
  end.epoch = record.epoch
  end.rev = record.rev
  taking.each(record)
}

function unreadable(path: string, reason: string): Problem {
  return new Problem({
    code: 'unreadable',
    what: `${path} cannot be read: ${reason}.`,
    why: 'It holds every step that was taken; without it the session cannot be resumed safely.',
    todo: 'Put the journal back as a regular file, or move the session directory away to begin anew.',
  })
}

function newer(path: string, version: number): Problem {
  return new Problem({
    code: 'newer-version',
    what: `${path} was written by a newer autopilot (journal format ${version}).`,
    why: 'This version would misread it, so nothing was changed.',
    todo: 'Resume this session with the newer version.',
  })
}
