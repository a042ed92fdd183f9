import { createHash } from 'node:crypto'
import { counted } from '../counted.js'
import type { SealKey } from '../secrets/hmac.js'
import { hashOf } from '../storage/json-text.js'
import { followedBy, type LineReading, namesBefore, noLineBefore } from './journal-line.js'
import type { SealMark } from './seal.js'

// Follows the chain of a journal while it is read, and tells what does not belong to it (docs/durability.md, "The seal").

/** A line that is not part of the chain. */
export interface ForeignLine {
  /** Byte at which it begins, and how many bytes it has with its newline. */
  offset: number
  size: number
  /** Counted from 1. */
  line: number
  /** Its beginning, as it is in the file. */
  text: string
  why: string
}

/** What a person has to decide about a journal before anything of it is acted on. */
export type Finding =
  /** Nothing says where it ended: of another version, machine or place. */
  | { kind: 'unsealed'; reason: string }
  | { kind: 'foreign'; lines: readonly ForeignLine[] }
  /** Records that were sealed are missing or changed. `usable`: what was read before that holds. */
  | { kind: 'damaged'; what: string; usable: boolean }

/** Where a line is, and what of the lines before it matters. */
export interface LineAt {
  offset: number
  line: number
  epoch: number
  /** A record of the same id was there before. */
  knownId: boolean
}

export interface Chain {
  /** What the next line has to name as the one before. */
  readonly last: string
  /** `counts`: it may be acted on. `void`: ours, but of a process that had lost the session. */
  take(line: Buffer, reading: LineReading, at: LineAt): 'counts' | 'void' | 'foreign'
  readonly foreign: readonly ForeignLine[]
  /** Where the record is that sealed everything before it as it was; 0 if there is none. */
  readonly from: number
  /** sha256 hex of all bytes up to here; only of a journal that is read as it stands. */
  wholeHash(): string
  /**
   * Nothing counts behind `from` but what is ours beyond doubt: what such a line says is needed only where somebody asks for
   * it, and no id of it comes a second time. Only of one made by `createQuickChain`.
   */
  readonly isQuick: boolean
  /**
   * Something does not hold, and nobody looked at it closely: all of this is worth nothing, read it with a chain that does.
   * Only of one made by `createQuickChain`.
   */
  readonly doubtful: boolean
  /** After the last line, whose end is given. */
  finding(end: { size: number; lines: number }): Finding | undefined
}

const shownBytes = 600

/** `seal`: what was sealed last; undefined where there is none, and the journal is read as it stands. */
export function createChain(key: SealKey, seal: SealMark | undefined, reason = 'it has no seal here'): Chain {
  return seal === undefined ? asItStands(key, reason) : sealedChain(key, seal)
}

/**
 * The same with fewer seals to check: up to what was sealed last a line only has to name the one before it. Where the last
 * of these has the hash that was sealed, all of them are, byte for byte, what they were then. Where it has not, the chain is
 * `doubtful`.
 */
export function createQuickChain(key: SealKey, seal: SealMark): Chain {
  return sealedChain(key, seal, { isQuick: true })
}

/** Goes on at a place that is known to be part of the chain: for lists, which read the end only. */
export function continueChain(
  key: SealKey,
  seal: SealMark | undefined,
  from: { size: number; chain: string },
): Chain {
  return sealedChain(key, seal ?? nothingSealed, { from })
}

const noChain = { size: 0, chain: noLineBefore }
const nothingSealed: SealMark = { size: 0, lines: 0, last: noLineBefore, from: 0 }

function asItStands(key: SealKey, reason: string): Chain {
  const whole = createHash('sha256')
  let last = noLineBefore
  let lastLine: Buffer | undefined
  let begun = false
  let from = 0
  return {
    get from() {
      return from
    },
    get last() {
      if (lastLine) last = hashOf(lastLine)
      lastLine = undefined
      return last
    },
    foreign: [],
    isQuick: false,
    doubtful: false,
    wholeHash: () => whole.copy().digest('hex'),
    take(line, reading, { offset }) {
      // Taken over a moment ago by a process that died before its seal was there: not asked again.
      begun = beginsHere(line, reading, key, whole)
      from = begun ? offset : 0
      whole.update(line).update('\n')
      lastLine = line
      return 'counts'
    },
    finding: ({ lines }) => (lines === 0 || begun ? undefined : { kind: 'unsealed', reason }),
  }
}

/** The record that seals everything before it, as it is. */
function beginsHere(
  line: Buffer,
  reading: LineReading,
  key: SealKey,
  before: ReturnType<typeof createHash>,
): boolean {
  if (reading.kind !== 'record' || reading.record.type !== 'sealed-from') return false
  return followedBy(line, key) !== undefined && reading.record.hash === before.copy().digest('hex')
}

interface HowToFollow {
  /** Where to go on; without it at the beginning. */
  from?: { size: number; chain: string }
  isQuick?: boolean
}

function sealedChain(
  key: SealKey,
  seal: SealMark,
  { from = noChain, isQuick = false }: HowToFollow = {},
): Chain {
  const before = createHash('sha256')
  const foreign: ForeignLine[] = []
  let foreignBytes = 0
  let last = from.chain
  let reached = seal.size <= from.size && (seal.size < from.size || seal.last === from.chain)
  let orphan: ForeignLine | undefined
  let begun = seal.from === 0 || from.size > seal.from
  let unusable = false
  let doubtful = false

  function chained(line: Buffer, end: number): 'counts' {
    last = hashOf(line)
    if (end - foreignBytes === seal.size) reached = last === seal.last
    return 'counts'
  }

  function refuse(line: Buffer, at: LineAt, why: string): 'foreign' {
    const size = line.length + 1
    const text = line.toString('utf8', 0, Math.min(line.length, shownBytes))
    foreign.push({ offset: at.offset, size, line: at.line, text, why })
    foreignBytes += size
    return 'foreign'
  }

  return {
    get last() {
      return last
    },
    foreign,
    from: seal.from,
    isQuick,
    get doubtful() {
      return doubtful
    },
    wholeHash: () => '',
    take(line, reading, at) {
      const end = at.offset + line.length + 1
      if (at.offset < seal.from) {
        before.update(line).update('\n')
        return 'counts'
      }
      if (at.offset === seal.from && seal.from > 0) {
        begun = beginsHere(line, reading, key, before)
        if (begun) return chained(line, end)
        unusable = true
      }
      const isOurs = isQuick && !unusable && end <= seal.size
      if (isOurs && namesBefore(line, last)) return chained(line, end)
      const follows = isOurs ? undefined : followedBy(line, key)
      if (follows === last && !unusable) return chained(line, end)
      if (isQuick) {
        doubtful = true
        return 'foreign'
      }
      if (follows === undefined) return refuse(line, at, notOurs(reading, !reached))
      if (at.knownId) {
        const result = refuse(line, at, 'it repeats an earlier record')
        // Behind what was sealed somebody added it; before that, what was sealed is not as it was.
        if (!reached) orphan ??= foreign.at(-1)
        return result
      }
      if (reading.kind === 'record' && reading.record.epoch < at.epoch) return 'void'
      const result = refuse(line, at, 'a record before it is missing, or it is out of its place')
      orphan ??= foreign.at(-1)
      return result
    },
    finding(end) {
      if (reached && !orphan) return foreign.length > 0 ? { kind: 'foreign', lines: foreign } : undefined
      return { kind: 'damaged', what: damage(seal, end, foreign, unusable), usable: begun }
    },
  }
}

/** `isSealed`: a line of ours stood there, so it may be that one with a change in it. */
function notOurs(reading: LineReading, isSealed: boolean): string {
  const what = isSealed ? 'it was changed, or autopilot did not write it' : 'autopilot did not write it'
  return reading.kind === 'bad' ? `${what}: ${reading.reason}` : what
}

function damage(
  seal: SealMark,
  end: { lines: number },
  foreign: readonly ForeignLine[],
  unusable: boolean,
): string {
  if (unusable) return 'What was taken over when it was sealed first is not there any more as it was.'
  const [first] = foreign
  if (first) return `Line ${first.line} does not hold: ${first.why}.`
  return `It had ${counted(seal.lines, 'line')} when it was sealed last; ${end.lines} of them are there.`
}
