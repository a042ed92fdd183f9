import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Problem } from '../problem.js'
import { keepCopy, syncDirectory } from '../storage/durable-file.js'
import { hashOf } from '../storage/json-text.js'
import { isMissing, storageProblem } from '../storage/storage-problem.js'
import { makeLine } from './journal-line.js'
import type { JournalFact, JournalRecord } from './journal-record.js'
import { type JournalEnd, type JournalScan, scanJournal } from './journal-scan.js'

// journal.jsonl, the commit point of a session (docs/durability.md).

export type { FactWithoutImage, Image, ImageRecord, JournalFact, JournalRecord } from './journal-record.js'
export { hasImage } from './journal-record.js'

export interface Journal {
  readonly problems: readonly string[]
  readonly lostLines: number
  readonly epoch: number
  /** Where it ends now; grows with `append`. */
  readonly end: Readonly<JournalEnd>
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
  /** Is handed every record that is there, oldest first. None of them is kept. */
  each?(record: JournalRecord): void
}

/** All records of a journal at once: for short ones, and for tests. Changes nothing. */
export async function readJournal(path: string): Promise<JournalScan & { records: JournalRecord[] }> {
  const records: JournalRecord[] = []
  const scan = await scanJournal(path, (record) => records.push(record))
  return { ...scan, records }
}

/** Opens a journal for writing, with the lock held. A torn tail is kept beside it and cut off. */
export async function openJournal(path: string, options: JournalOptions): Promise<Journal> {
  const scan = await scanJournal(path, (record) => options.each?.(record))
  const file = await openForAppend(path)
  try {
    if (scan.torn.length > 0) {
      const kept = await keepCopy(path.replace(/\.jsonl$/, ''), scan.torn, 'torn')
      await cut(file, path, scan.end.size)
      scan.problems.push(
        `the last record was not complete (${scan.torn.length} bytes); it is kept in ${kept}`,
      )
    }
    if (scan.missing) await syncDirectory(dirname(path))
  } catch (error) {
    await file.close()
    throw error
  }
  return writerOf(path, file, scan, options)
}

/** What every append to an open journal works on. */
interface Writing {
  path: string
  file: FileHandle
  end: JournalEnd
  problems: string[]
  /** Set once nothing may be written any more. */
  dead: Problem | undefined
}

function writerOf(path: string, file: FileHandle, scan: JournalScan, options: JournalOptions): Journal {
  const writing: Writing = { path, file, end: { ...scan.end }, problems: scan.problems, dead: undefined }
  const epoch = Math.max(options.epoch, scan.end.epoch + 1)
  const { lockId } = options
  let queue: Promise<unknown> = Promise.resolve()

  async function write(fact: JournalFact): Promise<JournalRecord> {
    if (writing.dead) throw writing.dead
    await options.fence?.()
    const { text, record } = makeLine({ id: randomUUID(), rev: writing.end.rev + 1, epoch, lockId }, fact)
    await appendLine(writing, text)
    writing.end.rev = record.rev
    writing.end.epoch = epoch
    return record
  }

  return {
    problems: scan.problems,
    lostLines: scan.lostLines,
    epoch,
    end: writing.end,
    append: (fact) => {
      const written = queue.then(() => write(fact))
      queue = written.catch(() => undefined)
      return written
    },
    close: async () => {
      await queue
      writing.dead ??= closed(path)
      await file.close().catch(() => undefined)
    },
  }
}

/** Puts one line at the end, or leaves the file as it was. */
async function appendLine(writing: Writing, text: string): Promise<void> {
  const { path, file, end } = writing
  const glued = await foreignBytes(path, file, end.size)
  if (glued > 0) {
    writing.problems.push(`${glued} bytes at offset ${end.size} were added by something else`)
    end.size += glued
    end.lines += 1
  }
  // A newline first ends whatever line was left open there.
  const bytes = Buffer.from(glued > 0 ? `\n${text}` : text, 'utf8')
  let syncing = false
  try {
    await file.appendFile(bytes)
    syncing = true
    await file.datasync()
  } catch (error) {
    const problem = await storageProblem(error, { path, doing: 'writing', syncing })
    await cut(file, path, end.size).catch((failure: unknown) => {
      const died = failure instanceof Problem && failure.code === 'storage-dead'
      writing.dead = died ? failure : deadAfter(path, failure)
    })
    if (problem.code === 'storage-dead') writing.dead = problem
    throw writing.dead ?? problem
  }
  const line = bytes.subarray(glued > 0 ? 1 : 0, -1)
  end.size += bytes.length
  end.lines += 1
  end.lastHash = hashOf(line)
  end.lastSize = line.length
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
