import { randomUUID } from 'node:crypto'
import { constants, fstatSync, lstatSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { counted } from '../counted.js'
import { Problem } from '../problem.js'
import type { SealKey } from '../secrets/hmac.js'
import { keepCopy } from '../storage/beside-file.js'
import { syncDirectory } from '../storage/durable-file.js'
import { hashOf } from '../storage/json-text.js'
import { isMissing, storageProblem } from '../storage/storage-problem.js'
import { createChain, type ForeignLine } from './journal-chain.js'
import { followJournal } from './journal-follow.js'
import { bytesBehind, foreignLinesOf, onlyVoid } from './journal-foreign.js'
import { makeLine } from './journal-line.js'
import { hasImage, type JournalFact, type JournalRecord } from './journal-record.js'
import { type JournalEnd, type JournalScan, scanJournal } from './journal-scan.js'
import type { OpenSeal } from './seal.js'

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
   * `fenced`, `disk-full` (nothing was written, try again), `foreign-edit` (the file was cut or replaced, or something
   * else has written behind our last line), `storage-dead` (also for every later append).
   */
  append(fact: JournalFact): Promise<JournalRecord>
  /** What something else has written behind our last line; empty if nothing. Changes nothing. */
  foreign(): Promise<ForeignLine[]>
  /**
   * Whether it is still the file that this process writes, with all that it has written, as far as memory tells. What lies on
   * the disk beside it, such as the seal, is not asked.
   */
  isOurs(): Promise<boolean>
  /** Cuts that off; it is kept beside the journal, where the returned path says. */
  cutForeign(): Promise<string>
  close(): Promise<void>
  /** Closes it; a file that was made for it and says nothing is removed: everything is as it was. */
  leave(): Promise<void>
}

export interface JournalOptions {
  lockId: string
  /** Lowest epoch to write; raised above every epoch in the file. */
  epoch: number
  /** Of this session: every line is sealed with it. */
  key: SealKey
  fence?: () => Promise<void>
  /** Is handed every record that is there, oldest first. None of them is kept. */
  each?(record: JournalRecord): void
}

/** All records of a journal at once, whoever wrote them: for short ones, and for tests. Changes nothing. */
export async function readJournal(path: string): Promise<JournalScan & { records: JournalRecord[] }> {
  const records: JournalRecord[] = []
  const scan = await scanJournal(path, (record) => records.push(record))
  return { ...scan, records }
}

/** Opens a journal for writing as it stands, whoever wrote it, and without a seal: a session store decides before. */
export async function openJournal(path: string, options: JournalOptions): Promise<Journal> {
  const chain = createChain(options.key, undefined)
  const scan = await scanJournal(path, (record) => options.each?.(record), undefined, chain)
  return continueJournal(path, scan, options)
}

export interface Continuing extends Omit<JournalOptions, 'each'> {
  /** Is written at the borders of a run. `from`: as in `SealMark`. */
  seal?: OpenSeal
  from?: number
}

/** Opens a journal for writing that was just read, with the lock held. A torn tail is kept beside it and cut off. */
export async function continueJournal(
  path: string,
  scan: JournalScan,
  options: Continuing,
): Promise<Journal> {
  const file = await openForAppend(path)
  try {
    if (scan.torn.length > 0) {
      const kept = await keepCopy(keptName(path), scan.torn, 'torn')
      await cut(file, path, scan.end.size)
      scan.problems.push(
        `the last record was not complete (${counted(scan.torn.length, 'byte')}); it is kept in ${kept}`,
      )
    }
    if (scan.missing) await syncDirectory(dirname(path))
  } catch (error) {
    await file.close()
    throw error
  }
  return writerOf(path, file, scan, options)
}

/** What is cut off a journal is kept under this name and a label. */
export function keptName(path: string): string {
  return path.replace(/\.jsonl$/, '')
}

/** What every append to an open journal works on. */
interface Writing {
  path: string
  file: FileHandle
  end: JournalEnd
  problems: string[]
  options: Continuing
  epoch: number
  /** Set once nothing may be written any more. */
  dead: Problem | undefined
  /** Times of the file after our own last write: nobody can set the second one. */
  stamp: Stamp
}

/** Where a run can be broken off: after each of these the seal says so. */
const borders: ReadonlySet<JournalFact['type']> = new Set([
  'opened',
  'dispatched',
  'agent',
  'spent',
  'asked',
  'answered',
  'interrupted',
  'closed',
  'sealed-from',
])

function writerOf(path: string, file: FileHandle, scan: JournalScan, options: Continuing): Journal {
  const epoch = Math.max(options.epoch, scan.end.epoch + 1)
  const { problems } = scan
  const writing: Writing = {
    path,
    file,
    end: { ...scan.end },
    problems,
    options,
    epoch,
    dead: undefined,
    stamp: stampOf(file),
  }
  let queue: Promise<unknown> = Promise.resolve()

  const inTurn = <Result>(action: () => Promise<Result>): Promise<Result> => {
    const done = queue.then(action)
    queue = done.catch(() => undefined)
    return done
  }

  return {
    problems,
    lostLines: scan.lostLines,
    epoch,
    end: writing.end,
    append: (fact) => inTurn(() => writeFact(writing, fact)),
    foreign: () => inTurn(async () => foreignLinesOf(await bytesBehind(path, writing.end.size), writing.end)),
    isOurs: () => inTurn(() => isOurs(writing)),
    cutForeign: () => inTurn(() => cutForeign(writing)),
    close: () => inTurn(() => closeJournal(writing).then(() => undefined)),
    leave: () =>
      inTurn(async () => {
        const ours = await closeJournal(writing)
        if (ours && scan.missing && writing.end.size === 0) await rm(path, { force: true })
      }),
  }
}

/** Whether it was still ours. */
async function closeJournal(writing: Writing): Promise<boolean> {
  const { path, file, options } = writing
  // One that has lost the session leaves the seal to whoever has it now.
  const ours = await Promise.resolve(options.fence?.()).then(
    () => true,
    () => false,
  )
  if (ours) seal(writing)
  writing.dead ??= closed(path)
  await options.seal?.close()
  await file.close().catch(() => undefined)
  return ours
}

async function writeFact(writing: Writing, fact: JournalFact): Promise<JournalRecord> {
  const { options, end, epoch } = writing
  if (writing.dead) throw writing.dead
  await expectOurs(writing)
  const header = { id: randomUUID(), rev: end.rev + 1, epoch, lockId: options.lockId }
  const { text, record } = makeLine(header, fact, { key: options.key, prev: end.chain })
  await appendLine(writing, text)
  end.rev = record.rev
  end.epoch = epoch
  if (borders.has(record.type) || hasImage(record)) seal(writing)
  return record
}

/** Never before the line is on the disk: a seal may be older than its journal, not newer. */
function seal({ options, end, dead, problems }: Writing): void {
  if (!options.seal || dead) return
  const mark = { size: end.size, lines: end.lines, last: end.chain, from: options.from ?? 0 }
  const told = 'its seal could not be written; what comes is checked line by line'
  if (!options.seal.write(mark) && !problems.includes(told)) problems.push(told)
}

/** Who has lost the session hears that before anything that the file tells. */
async function expectOurs(writing: Writing): Promise<void> {
  await writing.options.fence?.()
  const there = await lookAt(writing)
  if (!(await holds(writing, there))) throw replaced(writing.path)
  if (there.behind > 0) await takeBehind(writing)
}

/** The times that tell whether somebody else wrote. */
interface Stamp {
  mtimeNs: bigint
  ctimeNs: bigint
}

const stampOf = (file: FileHandle): Stamp => fstatSync(file.fd, { bigint: true })

async function isOurs(writing: Writing): Promise<boolean> {
  try {
    return await holds(writing, await lookAt(writing))
  } catch (error) {
    if (error instanceof Problem && error.code === 'foreign-edit') return false
    throw error
  }
}

/**
 * That what we have written is there as we wrote it. Somebody else who wrote has left other times; then it is read again, and its
 * last line has to be the one that memory holds.
 */
async function holds(writing: Writing, stamp: Stamp): Promise<boolean> {
  const { path, end, options } = writing
  const { mtimeNs, ctimeNs } = writing.stamp
  if ((stamp.mtimeNs === mtimeNs && stamp.ctimeNs === ctimeNs) || !options.seal) return true
  const mark = { size: end.size, lines: end.lines, last: end.chain, from: options.from ?? 0 }
  const seal = { kind: 'ok' as const, mark, turn: 0 }
  const { chain, scan } = await followJournal(path, { key: options.key, seal }, () => ({
    take: () => undefined,
  }))
  if (chain.finding(scan.end)?.kind === 'damaged') return false
  writing.stamp = stamp
  return true
}

/** A late line of a process that has lost the session changes nothing and stays; anything else is asked about. */
async function takeBehind(writing: Writing): Promise<void> {
  const { path, end, options, epoch } = writing
  const bytes = await bytesBehind(path, end.size)
  if (!onlyVoid(bytes, options.key, epoch)) throw writtenBehind(path)
  writing.problems.push(`a record at offset ${end.size} was written by a process that had lost the session`)
  end.size += bytes.length
  end.lines += foreignLinesOf(bytes, end).length
}

async function cutForeign(writing: Writing): Promise<string> {
  const { path, file, end, options } = writing
  await options.fence?.()
  const kept = await keepCopy(keptName(path), await bytesBehind(path, end.size), 'foreign')
  await cut(file, path, end.size)
  writing.stamp = stampOf(file)
  return kept
}

/** Puts one line at the end, or leaves the file as it was. */
async function appendLine(writing: Writing, text: string): Promise<void> {
  const { path, file, end } = writing
  const bytes = Buffer.from(text, 'utf8')
  let syncing = false
  try {
    await file.appendFile(bytes)
    syncing = true
    await file.datasync()
  } catch (error) {
    const problem = await storageProblem(error, { path, doing: 'writing', syncing })
    await cut(file, path, end.size).then(
      () => {
        writing.stamp = stampOf(file)
      },
      (failure: unknown) => {
        const died = failure instanceof Problem && failure.code === 'storage-dead'
        writing.dead = died ? failure : deadAfter(path, failure)
      },
    )
    if (problem.code === 'storage-dead') writing.dead = problem
    throw writing.dead ?? problem
  }
  const line = bytes.subarray(0, -1)
  end.size += bytes.length
  end.lines += 1
  end.lastHash = hashOf(line)
  end.lastSize = line.length
  end.chain = end.lastHash
  writing.stamp = stampOf(file)
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

/**
 * The times of the file, and the bytes that something else appended since our last write. Problem if the file is not the one
 * that we write to. Looked up at once: on its way through the pool it would take longer than the line.
 */
async function lookAt({ path, file, end }: Writing): Promise<Stamp & { behind: number }> {
  try {
    const there = lstatSync(path, { bigint: true })
    const { ino, size, mtimeNs, ctimeNs } = fstatSync(file.fd, { bigint: true })
    if (there.ino !== ino || size < BigInt(end.size)) throw replaced(path)
    return { mtimeNs, ctimeNs, behind: Number(size) - end.size }
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

function writtenBehind(path: string): Problem {
  return new Problem({
    code: 'foreign-edit',
    what: `Something else has written into the journal ${path}.`,
    why: 'Only autopilot records what was decided and done, so nothing of that is acted on.',
    todo: 'Look at what was written, then let it be cut off; it is kept beside the journal.',
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
