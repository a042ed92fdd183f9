import { constants, copyFile, link, open, rename, truncate, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { SealKey } from '../secrets/hmac.js'
import { asidePath, keepCopy } from '../storage/beside-file.js'
import { linkUnsupported, openVerified, syncDirectory, temporaryPath } from '../storage/durable-file.js'
import { storageProblem } from '../storage/storage-problem.js'
import type { ForeignLine } from './journal-chain.js'
import { followedBy, readLine } from './journal-line.js'
import type { JournalScan } from './journal-scan.js'

// What something else has written into a journal: looked at, kept beside it, cut off (docs/durability.md, "The seal").

const shownBytes = 600
/** More than this is kept with the whole journal, and not by itself. */
const mostByItself = 32 * 1024 * 1024

/** The bytes of a journal from there on; at most 32 MB, which nobody would look through. */
export async function bytesBehind(path: string, from: number): Promise<Buffer> {
  const opened = await openVerified(path, Number.MAX_SAFE_INTEGER)
  if (opened.kind !== 'ok') return Buffer.alloc(0)
  try {
    const length = Math.min(Math.max(0, opened.size - from), mostByItself)
    const { buffer, bytesRead } = await opened.file.read(Buffer.alloc(length), 0, length, from)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    throw await storageProblem(error, { path, doing: 'reading' })
  } finally {
    await opened.file.close()
  }
}

/** Those bytes as lines; one without a newline counts too. */
export function foreignLinesOf(bytes: Buffer, end: { size: number; lines: number }): ForeignLine[] {
  const lines: ForeignLine[] = []
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, start)
    const next = newline < 0 ? bytes.length : newline + 1
    lines.push({
      offset: end.size + start,
      size: next - start,
      line: end.lines + lines.length + 1,
      text: bytes.toString('utf8', start, Math.min(newline < 0 ? next : newline, start + shownBytes)),
      why: 'autopilot did not write it',
    })
    start = next
  }
  return lines
}

/** True if all of it are whole lines of ours from an earlier epoch: of a process that had lost the session. */
export function onlyVoid(bytes: Buffer, key: SealKey, epoch: number): boolean {
  if (bytes.at(-1) !== 0x0a) return false
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, start)
    const line = bytes.subarray(start, newline)
    const reading = readLine(line)
    if (reading.kind !== 'record' || reading.record.epoch >= epoch) return false
    if (followedBy(line, key) === undefined) return false
    start = newline + 1
  }
  return true
}

/**
 * Cuts lines out of a journal that is not open, and its torn tail. What is cut is kept beside it; with `whole` the
 * journal as it was. Returns where. A process that dies in it leaves either the old journal or the new one.
 */
export async function cutOut(
  path: string,
  scan: JournalScan,
  lines: readonly ForeignLine[],
  whole: boolean,
): Promise<string> {
  const size = lines.reduce((sum, line) => sum + line.size, 0)
  const name = path.replace(/\.jsonl$/, '')
  const atEnd = lines[0]?.offset === scan.end.size
  try {
    if (!whole && atEnd && size + scan.torn.length < mostByItself) {
      const kept = await keepCopy(name, await bytesBehind(path, scan.end.size), 'foreign')
      await truncate(path, scan.end.size)
      return kept
    }
    const kept = asidePath(name, whole ? 'damaged' : 'foreign')
    await secondName(path, kept)
    await keepRanges(path, rangesBetween(lines, scan.end.size + size))
    return kept
  } catch (error) {
    throw await storageProblem(error, { path, doing: 'cutting' })
  } finally {
    scan.torn = Buffer.alloc(0)
  }
}

async function secondName(path: string, second: string): Promise<void> {
  try {
    await link(path, second)
  } catch (error) {
    if (!linkUnsupported(error)) throw error
    await copyFile(path, second, constants.COPYFILE_EXCL)
  }
}

interface Range {
  from: number
  to: number
}

function rangesBetween(lines: readonly ForeignLine[], end: number): Range[] {
  const ranges: Range[] = []
  let from = 0
  for (const { offset, size } of lines) {
    if (offset > from) ranges.push({ from, to: offset })
    from = offset + size
  }
  return end > from ? [...ranges, { from, to: end }] : ranges
}

/** Replaces a file by parts of itself, in one step. */
async function keepRanges(path: string, ranges: readonly Range[]): Promise<void> {
  const temporary = temporaryPath(path)
  const source = await open(path, 'r')
  try {
    const target = await open(temporary, 'wx', 0o600)
    try {
      for (const { from, to } of ranges) await copyRange(source, target, from, to)
      await target.sync()
    } finally {
      await target.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  } finally {
    await source.close()
  }
  await syncDirectory(dirname(path))
}

type Handle = Awaited<ReturnType<typeof open>>
const chunkBytes = 1024 * 1024

async function copyRange(source: Handle, target: Handle, from: number, to: number): Promise<void> {
  for (let at = from; at < to; ) {
    const length = Math.min(chunkBytes, to - at)
    const { buffer, bytesRead } = await source.read(Buffer.alloc(length), 0, length, at)
    if (bytesRead === 0) return
    await target.writeFile(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
}
