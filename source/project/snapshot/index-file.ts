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
const entriesAtOnce = 10_000

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
  const sorted = [...entries].sort((a, b) => (a.raw < b.raw ? -1 : a.raw > b.raw ? 1 : a.stage - b.stage))
  const head = Buffer.alloc(12)
  head.write('DIRC', 'latin1')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(sorted.length, 8)
  const parts: Buffer[] = [head]
  for (const entry of sorted) {
    parts.push(entryBytes(entry, idBytes))
    if (parts.length % entriesAtOnce === 0) await breathe()
  }
  const body = Buffer.concat(parts)
  const sum = createHash(idBytes === 32 ? 'sha256' : 'sha1')
    .update(body)
    .digest()
  return Buffer.concat([body, sum])
}

function entryBytes(entry: IndexEntry, idBytes: number): Buffer {
  const length = fixedBytes + idBytes + 2 + entry.raw.length
  const bytes = Buffer.alloc((length + 8) & ~7)
  entry.times.copy(bytes, 0)
  bytes.writeUInt32BE(entry.mode, 24)
  entry.ownerAndSize.copy(bytes, 28)
  bytes.write(entry.oid, fixedBytes, 'hex')
  bytes.writeUInt16BE((entry.stage << 12) | Math.min(0xfff, entry.raw.length), fixedBytes + idBytes)
  bytes.write(entry.raw, fixedBytes + idBytes + 2, 'latin1')
  return bytes
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

/** The same entry without times, so that git compares the content itself. */
export function entryToVerify(entry: IndexEntry): IndexEntry {
  return { ...entry, ...noBits, stage: 0, times: Buffer.alloc(24), ownerAndSize: Buffer.alloc(12) }
}
