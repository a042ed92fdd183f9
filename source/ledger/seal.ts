import { fstatSync, lstatSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { makeDirectory } from '../make-directory.js'
import { type SealKey, sealHolds, sealOf } from '../secrets/hmac.js'
import { quarantine } from '../storage/beside-file.js'
import { readVerified, writeDurable } from '../storage/durable-file.js'
import { storageProblem } from '../storage/storage-problem.js'

// seal.json of a session, in the user's own directory: where its journal ended (docs/durability.md, "The seal"). Written
// over in place and not synced, so that it costs next to nothing: an older seal only makes the part longer that is
// adopted line by line. It has two places that are written in turn, as one of them may be torn when a process dies.

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
  | { kind: 'ok'; mark: SealMark; turn: number }
  | { kind: 'unreadable'; reason: string }

const whole = z.int()
const text = z.string()

const markSchema = z.object({
  v: z.literal(1),
  turn: whole,
  size: whole,
  lines: whole,
  last: text,
  from: whole,
  mac: text,
})

const placeBytes = 320
const placeAt = (turn: number) => 2 + (turn % 2) * (placeBytes + 2)
const wholeBytes = placeAt(1) + placeBytes + 3

/** Reads the newest of both places. Changes nothing. */
export async function readSeal({ path, key }: SealPlace): Promise<SealRead> {
  const file = await readVerified(path, 64 * 1024)
  if (file.kind !== 'ok') return file
  const marks = [0, 1].flatMap((turn) => {
    const mark = readMark(file.bytes.toString('utf8', placeAt(turn), placeAt(turn) + placeBytes), key)
    return mark ? [mark] : []
  })
  const newest = marks.sort((a, b) => b.turn - a.turn)[0]
  return newest ? { kind: 'ok', ...newest } : { kind: 'unreadable', reason: 'its seal is damaged' }
}

function readMark(text: string, key: SealKey): { mark: SealMark; turn: number } | undefined {
  try {
    const { mac, ...rest } = markSchema.parse(JSON.parse(text))
    const { v: _, turn, ...mark } = rest
    return sealHolds(key, JSON.stringify(rest), mac) ? { mark, turn } : undefined
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
  let last = first
  const writeWhole = async () => {
    const slot = markText(last, key, turn)
    await writeDurable(path, Buffer.from(`[\n${slot},\n${slot}\n]\n`.padEnd(wholeBytes)))
  }
  try {
    if (read.kind !== 'ok') {
      await makeDirectory(dirname(path))
      await writeWhole()
    }
    const file = await open(path, 'r+')
    return {
      write(mark) {
        const next = turn + 1
        // A failed write may have torn its place, so the other one is left alone until this one is whole again.
        if (!put(file, markText(mark, key, next), placeAt(next))) return false
        turn = next
        last = mark
        return true
      },
      async close() {
        // One that was put in its place is an older one, or somebody else's.
        if (!isAt(file, path)) await writeWhole().catch(() => undefined)
        await file.close().catch(() => undefined)
      },
    }
  } catch (error) {
    throw await storageProblem(error, { path, doing: 'sealing' })
  }
}

function isAt(file: FileHandle, path: string): boolean {
  try {
    return lstatSync(path).ino === fstatSync(file.fd).ino
  } catch {
    return false
  }
}

function put(file: FileHandle, text: string, position: number): boolean {
  try {
    return writeSync(file.fd, text, position) === placeBytes
  } catch {
    return false
  }
}

function markText({ size, lines, last, from }: SealMark, key: SealKey, turn: number): string {
  const content = JSON.stringify({ v: 1, turn, size, lines, last, from })
  return `${content.slice(0, -1)},"mac":"${sealOf(key, content)}"}`.padEnd(placeBytes)
}

/** Moves a seal out of the way, whose session is gone. Returns where it is kept. */
export async function putSealAside({ path }: SealPlace): Promise<string> {
  return quarantine(path, 'removed')
}
