import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Problem } from '../problem.js'
import { keepCopy, readVerified, syncDirectory } from '../storage/durable-file.js'
import { isMissing, storageProblem } from '../storage/storage-problem.js'
import { type JournalFact, type JournalRecord, parseLine } from './journal-record.js'

// journal.jsonl, the commit point of a session: reliability.md section 2.

export type { FactWithoutImage, Image, ImageRecord, JournalFact, JournalRecord } from './journal-record.js'
export { hasImage } from './journal-record.js'

/** A journal as read: good records in order, and a line for a person about everything that was passed over. */
export interface JournalReading {
  records: JournalRecord[]
  problems: string[]
  /** Complete lines that could not be read: each may have held a state. */
  lostLines: number
  /** Bytes up to the end of the last complete line. */
  size: number
  /** Bytes after it: a record that was being written when its writer died, or is being written now. */
  torn: Buffer
  missing: boolean
}

export interface Journal {
  /** All records that count, oldest first; grows with `append`. */
  readonly records: readonly JournalRecord[]
  readonly problems: readonly string[]
  readonly lostLines: number
  readonly epoch: number
  readonly size: number
  /**
   * Writes one fact; when this resolves it is on the disk. One at a time, in the order of the calls. Problems:
   * `fenced`, `disk-full` (nothing was written, try again), `foreign-edit` (the file was cut or replaced),
   * `storage-dead` (also for every later append).
   */
  append(fact: JournalFact): Promise<JournalRecord>
  close(): Promise<void>
}

export interface JournalOptions {
  lockId: string
  /** Lowest epoch to write; raised above every epoch in the file. */
  epoch: number
  fence?: () => Promise<void>
}

const maxJournalBytes = 2 ** 30

/** Reads a journal without changing it, also while another process writes. Problem('newer-version') if it must not be read. */
export async function readJournal(path: string): Promise<JournalReading> {
  const file = await readVerified(path, maxJournalBytes)
  if (file.kind === 'missing')
    return { records: [], problems: [], lostLines: 0, size: 0, torn: Buffer.alloc(0), missing: true }
  if (file.kind === 'unreadable') throw unreadable(path, file.reason)
  return { ...parseJournal(path, file.bytes), missing: false }
}

/** Opens a journal for writing, with the lock held. A torn tail is kept beside it and cut off. */
export async function openJournal(path: string, options: JournalOptions): Promise<Journal> {
  const reading = await readJournal(path)
  const { records, problems } = reading
  const file = await openForAppend(path)
  let offset = reading.size
  try {
    if (reading.torn.length > 0) {
      const kept = await keepCopy(path.replace(/\.jsonl$/, ''), reading.torn, 'torn')
      await cut(file, path, offset)
      problems.push(`the last record was not complete (${reading.torn.length} bytes); it is kept in ${kept}`)
    }
    if (reading.missing) await syncDirectory(dirname(path))
  } catch (error) {
    await file.close()
    throw error
  }

  const last = records.at(-1)
  const epoch = Math.max(options.epoch, (last?.epoch ?? 0) + 1)
  let rev = last?.rev ?? 0
  let dead: Problem | undefined
  let queue: Promise<unknown> = Promise.resolve()

  async function write(fact: JournalFact): Promise<JournalRecord> {
    if (dead) throw dead
    await options.fence?.()
    const header = { v: 1, id: randomUUID(), rev: rev + 1, epoch, lockId: options.lockId }
    const text = JSON.stringify({ ...header, at: new Date().toISOString(), ...fact })
    const glued = await foreignBytes(path, file, offset)
    if (glued > 0) {
      problems.push(`${glued} bytes at offset ${offset} were added by something else`)
      offset += glued
    }
    // A newline first ends whatever line was left open there.
    const line = Buffer.from(`${glued > 0 ? '\n' : ''}${text}\n`, 'utf8')
    await appendLine(line)
    offset += line.length
    rev += 1
    // Kept as it will be read again, so that a later change of the caller's objects cannot reach it.
    const record = JSON.parse(text) as JournalRecord
    records.push(record)
    return record
  }

  async function appendLine(line: Buffer): Promise<void> {
    let syncing = false
    try {
      await file.appendFile(line)
      syncing = true
      await file.datasync()
    } catch (error) {
      const problem = await storageProblem(error, { path, doing: 'writing', syncing })
      try {
        await cut(file, path, offset)
      } catch (failure) {
        dead =
          failure instanceof Problem && failure.code === 'storage-dead' ? failure : deadAfter(path, failure)
      }
      if (problem.code === 'storage-dead') dead = problem
      throw dead ?? problem
    }
  }

  return {
    records,
    problems,
    lostLines: reading.lostLines,
    epoch,
    get size() {
      return offset
    },
    append: (fact) => {
      const written = queue.then(() => write(fact))
      queue = written.catch(() => undefined)
      return written
    },
    close: async () => {
      await queue
      dead ??= closed(path)
      await file.close().catch(() => undefined)
    },
  }
}

function parseJournal(path: string, bytes: Buffer): Omit<JournalReading, 'missing'> {
  const records: JournalRecord[] = []
  const problems: string[] = []
  const ids = new Set<string>()
  let lostLines = 0
  let epoch = 0
  let start = 0
  const utf8 = isUtf8(bytes)
  for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
    const line = parseLine(bytes.subarray(start, end), utf8)
    const at = `at offset ${start}`
    start = end + 1
    if (line.kind === 'newer') throw newer(path, line.version)
    if (line.kind === 'blank') continue
    if (line.kind === 'bad') {
      lostLines++
      problems.push(`a line ${at} was skipped: ${line.reason}`)
      continue
    }
    const { record } = line
    if (line.problem) problems.push(`${line.problem} ${at}`)
    if (ids.has(record.id)) {
      problems.push(`a second record of the same id ${at} was ignored`)
      continue
    }
    ids.add(record.id)
    if (record.epoch < epoch) {
      problems.push(`a record ${at} was written by a process that had lost the session, and was ignored`)
      continue
    }
    epoch = record.epoch
    records.push(record)
  }
  return { records, problems, lostLines, size: start, torn: bytes.subarray(start) }
}

async function openForAppend(path: string): Promise<FileHandle> {
  const follow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW
  try {
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | follow
    return await open(path, flags, 0o600)
  } catch (error) {
    throw await storageProblem(error, { path, doing: 'opening' })
  }
}

/** Bytes that something else appended since our last write. Problem if the file is not the one that we write to. */
async function foreignBytes(path: string, file: FileHandle, offset: number): Promise<number> {
  try {
    const [there, ours] = [await lstat(path, { bigint: true }), await file.stat({ bigint: true })]
    if (there.ino !== ours.ino || ours.size < BigInt(offset)) throw replaced(path)
    return Number(ours.size) - offset
  } catch (error) {
    if (isMissing(error)) throw replaced(path)
    throw await storageProblem(error, { path, doing: 'checking' })
  }
}

async function cut(file: FileHandle, path: string, offset: number): Promise<void> {
  let syncing = false
  try {
    await file.truncate(offset)
    syncing = true
    await file.datasync()
  } catch (error) {
    throw await storageProblem(error, { path, doing: 'cutting', syncing })
  }
}

function deadAfter(path: string, cause: unknown): Problem {
  return new Problem({
    code: 'storage-dead',
    what: `A half-written record could not be removed from ${path}.`,
    why: 'The next record would be glued to it, so nothing more is written.',
    todo: 'Check the disk, then start autopilot again to resume.',
    cause,
  })
}

function closed(path: string): Problem {
  return new Problem({
    code: 'fenced',
    what: `${path} was closed.`,
    why: 'This process has given the session back.',
    todo: 'Start autopilot again to resume.',
  })
}

function replaced(path: string): Problem {
  return new Problem({
    code: 'foreign-edit',
    what: `${path} was cut, removed or replaced while the session was open.`,
    why: 'It holds every step that was taken; going on would repeat or lose some of them.',
    todo: 'Put the file back if you moved it, then start autopilot again to resume.',
  })
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
