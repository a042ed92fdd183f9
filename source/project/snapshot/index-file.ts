import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'

// The file in which git keeps what is tracked (gitformat-index), read and written as bytes: bits can be seen without
// asking git, and a file whose content is kept nowhere can stand in the private index with its size and times.

export interface IndexEntry {
  /** Path byte by byte (latin1), by which entries are sorted. */
  raw: string
  /** As in `ls-files -s`: 0o100644, 0o100755, 0o120000, 0o160000. */
  mode: number
  oid: string
  stage: number
  assumeUnchanged: boolean
  skipWorktree: boolean
  /** Added by `git add -N`. */
  intent: boolean
  /** The first 24 bytes (times, device, inode) and the 12 of owner and size, as they are in the file. */
  times: Buffer
  ownerAndSize: Buffer
}

const fixedBytes = 40
/** After so many there is a pause for keys. */
const entriesAtOnce = 2_000

/**
 * Entries of an index of version 2 to 4; undefined for one that is split or sparse, or that makes no sense.
 * @param idBytes 20, or 32 for a repository with sha256
 */
export async function readIndex(bytes: Buffer, idBytes: number): Promise<IndexEntry[] | undefined> {
  if (bytes.length < 12 + idBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined
  const version = bytes.readUInt32BE(4)
  const count = bytes.readUInt32BE(8)
  if (version < 2 || version > 4) return undefined
  const entries: IndexEntry[] = []
  let at = 12
  let last = ''
  while (entries.length < count) {
    const found = entryAt(bytes, at, { version, idBytes, last })
    if (found === undefined) return undefined
    entries.push(found.entry)
    last = found.entry.raw
    at = found.next
    if (entries.length % entriesAtOnce === 0) await breathe()
  }
  return hasWholeList(bytes, at, idBytes) ? entries : undefined
}

function entryAt(
  bytes: Buffer,
  at: number,
  format: { version: number; idBytes: number; last: string },
): { entry: IndexEntry; next: number } | undefined {
  const idEnd = at + fixedBytes + format.idBytes
  if (idEnd + 4 > bytes.length) return undefined
  const flags = bytes.readUInt16BE(idEnd)
  const extended = (flags & 0x4000) !== 0 ? bytes.readUInt16BE(idEnd + 2) : 0
  let nameAt = idEnd + ((flags & 0x4000) !== 0 ? 4 : 2)
  let prefix = ''
  if (format.version === 4) {
    const stripped = varintAt(bytes, nameAt)
    nameAt = stripped.next
    prefix = format.last.slice(0, Math.max(0, format.last.length - stripped.value))
  }
  const end = bytes.indexOf(0, nameAt)
  if (end === -1) return undefined
  const raw = prefix + bytes.toString('latin1', nameAt, end)
  // Up to version 3 entries are filled up with 1 to 8 zeros to a multiple of eight bytes.
  const next = format.version === 4 ? end + 1 : at + ((end - at + 8) & ~7)
  const entry = {
    raw,
    mode: bytes.readUInt32BE(at + 24),
    oid: bytes.toString('hex', at + fixedBytes, idEnd),
    stage: (flags >> 12) & 3,
    assumeUnchanged: (flags & 0x8000) !== 0,
    skipWorktree: (extended & 0x4000) !== 0,
    intent: (extended & 0x2000) !== 0,
    times: bytes.subarray(at, at + 24),
    ownerAndSize: bytes.subarray(at + 28, at + 40),
  }
  return { entry, next }
}

function varintAt(bytes: Buffer, from: number): { value: number; next: number } {
  let at = from
  let byte = bytes[at++] ?? 0
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0 && at < bytes.length) {
    byte = bytes[at++] ?? 0
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, next: at }
}

/** False where an extension says that entries lie elsewhere (`link`) or stand for directories (`sdir`). */
function hasWholeList(bytes: Buffer, from: number, idBytes: number): boolean {
  const end = bytes.length - idBytes
  for (let at = from; at + 8 <= end; at += 8 + bytes.readUInt32BE(at + 4)) {
    const name = bytes.toString('latin1', at, at + 4)
    if (name === 'link' || name === 'sdir') return false
  }
  return true
}

/** An index of version 2 with these entries and no extensions; bits are cleared. */
export async function writeIndex(entries: readonly IndexEntry[], idBytes: number): Promise<Buffer> {
  const sorted = entries.every((entry, at) => at === 0 || compareEntries(entries[at - 1], entry) <= 0)
    ? entries
    : [...entries].sort(compareEntries)
  const lengths = sorted.reduce((sum, entry) => sum + lengthOf(entry, idBytes), 12)
  const body = Buffer.alloc(lengths)
  body.write('DIRC', 'latin1')
  body.writeUInt32BE(2, 4)
  body.writeUInt32BE(sorted.length, 8)
  let at = 12
  for (const [count, entry] of sorted.entries()) {
    writeEntry(body, at, { entry, idBytes })
    at += lengthOf(entry, idBytes)
    if (count % entriesAtOnce === entriesAtOnce - 1) await breathe()
  }
  const sum = createHash(idBytes === 32 ? 'sha256' : 'sha1')
    .update(body)
    .digest()
  return Buffer.concat([body, sum])
}

function compareEntries(a: IndexEntry | undefined, b: IndexEntry | undefined): number {
  if (a === undefined || b === undefined) return 0
  return a.raw < b.raw ? -1 : a.raw > b.raw ? 1 : a.stage - b.stage
}

/** Filled up with 1 to 8 zeros to a multiple of eight bytes. */
function lengthOf(entry: IndexEntry, idBytes: number): number {
  return (fixedBytes + idBytes + 2 + entry.raw.length + 8) & ~7
}

function writeEntry(
  bytes: Buffer,
  at: number,
  { entry, idBytes }: { entry: IndexEntry; idBytes: number },
): void {
  entry.times.copy(bytes, at)
  bytes.writeUInt32BE(entry.mode, at + 24)
  entry.ownerAndSize.copy(bytes, at + 28)
  bytes.write(entry.oid, at + fixedBytes, 'hex')
  const flags = at + fixedBytes + idBytes
  bytes.writeUInt16BE((entry.stage << 12) | Math.min(0xfff, entry.raw.length), flags)
  bytes.write(entry.raw, flags + 2, 'latin1')
}

/** An entry for a file that git will find unchanged as long as size, times and inode are these. */
export function entryOfFile(raw: string, oid: string, stats: BigIntStats): IndexEntry {
  const times = Buffer.alloc(24)
  const ownerAndSize = Buffer.alloc(12)
  const low = (value: bigint) => Number(BigInt.asUintN(32, value))
  const second = 1_000_000_000n
  for (const [at, value] of [
    [0, stats.ctimeNs / second],
    [4, stats.ctimeNs % second],
    [8, stats.mtimeNs / second],
    [12, stats.mtimeNs % second],
    [16, stats.dev],
    [20, stats.ino],
  ] as const)
    times.writeUInt32BE(low(value), at)
  ownerAndSize.writeUInt32BE(low(stats.uid), 0)
  ownerAndSize.writeUInt32BE(low(stats.gid), 4)
  ownerAndSize.writeUInt32BE(low(stats.size), 8)
  const mode = stats.isSymbolicLink() ? 0o120000 : (stats.mode & 0o100n) !== 0n ? 0o100755 : 0o100644
  return { raw, mode, oid, stage: 0, ...noBits, times, ownerAndSize }
}

const noBits = { assumeUnchanged: false, skipWorktree: false, intent: false }

const noTimes = Buffer.alloc(24)
const noOwner = Buffer.alloc(12)

/** The same entry without times, so that git compares the content itself. */
export function entryToVerify(entry: IndexEntry): IndexEntry {
  return { ...entry, ...noBits, stage: 0, times: noTimes, ownerAndSize: noOwner }
}
