import { writeSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { type SealKey, sealHolds, sealOf } from '../secrets/hmac.js'
import { quarantine } from '../storage/beside-file.js'
import { readVerified, writeDurable } from '../storage/durable-file.js'
import { storageProblem } from '../storage/storage-problem.js'

// seal.json of a session, in the user's own directory: where its journal ended (docs/durability.md, "The seal"). Written
// over in place and not synced, so that it costs next to nothing: an older seal only makes the part longer that is
// adopted line by line. It has two places that are written in turn, as one of them may be torn when a process dies.
//
// An older seal that is put back together with the journal of its time is in itself right. It says when it was written, and
// nobody but root can make a file system say that a file was changed earlier than it was.

/** Where the seal of a session lies, and the key of that session. */
export interface SealPlace {
  /** Absolute path of seal.json, outside of the project. */
  path: string
  key: SealKey
}

/** What a seal says of a journal. */
export interface SealMark {
  /** Bytes of the journal, and lines in them. */
  size: number
  lines: number
  /** Hash of the last line, as the next one names it. */
  last: string
  /** Where the record is that sealed everything before it as it was; 0 if every line is sealed. */
  from: number
}

export type SealRead =
  | { kind: 'missing' }
  /** `changed`: when its file was changed, where that was long after it was written. Milliseconds. */
  | { kind: 'ok'; mark: SealMark; turn: number; changed?: number }
  | { kind: 'unreadable'; reason: string }

const markSchema = z.object({
  v: z.literal(1),
  turn: z.int(),
  size: z.int(),
  lines: z.int(),
  last: z.string(),
  from: z.int(),
  at: z.optional(z.int()),
  mac: z.string(),
})

const placeBytes = 320
const placeAt = (turn: number) => 2 + (turn % 2) * (placeBytes + 2)
const wholeBytes = placeAt(1) + placeBytes + 3

/** So much later than it says a seal may reach its file, in milliseconds: it is written at once. */
const latestMs = 2_000

/** Reads the newest of both places. Changes nothing. */
export async function readSeal({ path, key }: SealPlace): Promise<SealRead> {
  // Looked at first: whoever writes it meanwhile makes it newer than this.
  const changed = (await lstat(path).catch(() => undefined))?.ctimeMs
  const file = await readVerified(path, 64 * 1024)
  if (file.kind !== 'ok') return file
  const marks = [0, 1].flatMap((turn) => {
    const mark = readMark(file.bytes.toString('utf8', placeAt(turn), placeAt(turn) + placeBytes), key)
    return mark ? [mark] : []
  })
  const newest = marks.sort((a, b) => b.turn - a.turn)[0]
  if (newest === undefined) return { kind: 'unreadable', reason: 'its seal is damaged' }
  const { at, ...read } = newest
  const isLater = at !== undefined && changed !== undefined && changed - at > latestMs
  return { kind: 'ok', ...read, ...(isLater ? { changed } : {}) }
}

/**
 * What is read in place of a seal that was put back with the journal of its time: its file was changed later than both were
 * written. A journal that goes on behind its seal explains that: the last seal did not reach the disk. `lastAt`: ISO time of
 * the last record.
 */
export function unlessPutBack(seal: SealRead, lastAt: string | null): SealRead {
  if (seal.kind !== 'ok' || seal.changed === undefined) return seal
  if (lastAt !== null && seal.changed - Date.parse(lastAt) <= latestMs) return seal
  const reason =
    'its seal was put in its place after the last record was written: both may be older copies of what was here'
  return { kind: 'unreadable', reason }
}

function readMark(
  text: string,
  key: SealKey,
): { mark: SealMark; turn: number; at: number | undefined } | undefined {
  try {
    const { mac, ...rest } = markSchema.parse(JSON.parse(text))
    const { v: _, turn, at, ...mark } = rest
    return sealHolds(key, JSON.stringify(rest), mac) ? { mark, turn, at } : undefined
  } catch {
    return undefined
  }
}

/** A seal that is kept up to date while its session is open. */
export interface OpenSeal {
  /**
   * False if it could not be written; the older one stays. At once, as it goes no further than the memory of the system: on its
   * way through the pool it would cost ten times as much, and come after the line that follows.
   */
  write(mark: SealMark): boolean
  close(): Promise<void>
}

/** Makes the seal, durably, or goes on with it. Problems of the file system are thrown. */
export async function openSeal({ path, key }: SealPlace, read: SealRead, first: SealMark): Promise<OpenSeal> {
  let turn = read.kind === 'ok' ? read.turn : 0
  try {
    if (read.kind !== 'ok') {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const slot = markText(first, key, { turn: 0, at: Date.now() })
      await writeDurable(path, Buffer.from(`[\n${slot},\n${slot}\n]\n`.padEnd(wholeBytes)))
    }
    const file = await open(path, 'r+')
    return {
      write(mark) {
        const next = turn + 1
        // A failed write may have torn its place, so the other one is left alone until this one is whole again.
        if (!put(file, markText(mark, key, { turn: next, at: Date.now() }), placeAt(next))) return false
        turn = next
        return true
      },
      close: () => file.close().catch(() => undefined),
    }
  } catch (error) {
    throw await storageProblem(error, { path, doing: 'sealing' })
  }
}

function put(file: FileHandle, text: string, position: number): boolean {
  try {
    return writeSync(file.fd, text, position) === placeBytes
  } catch {
    return false
  }
}

function markText(mark: SealMark, key: SealKey, { turn, at }: { turn: number; at: number }): string {
  const { size, lines, last, from } = mark
  const content = JSON.stringify({ v: 1, turn, size, lines, last, from, at })
  return `${content.slice(0, -1)},"mac":"${sealOf(key, content)}"}`.padEnd(placeBytes)
}

/** Moves a seal out of the way, whose session is gone. Returns where it is kept. */
export async function putSealAside({ path }: SealPlace): Promise<string> {
  return quarantine(path, 'removed')
}
