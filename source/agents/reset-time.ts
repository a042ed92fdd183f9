import { withoutColours } from '../without-colours.js'
import { readClock, readEpoch, readHour, readIso } from './reset-clock.js'
import { daysAhead, otherDay } from './reset-days.js'
import { readBareSpan, readSpan, readStopwatch } from './reset-spans.js'
import { day, type Here, second, take } from './reset-words.js'
import { localZone, type Zone } from './zone.js'

// When a usage limit ends, as agents tell it in words (docs/agents.md, "Usage limits"): one reader for all of them. Every
// pattern is anchored and bounded, and of a long text only the ends are read, so that no text can keep it busy.

const longestMs = 8 * day

/** Before this, as milliseconds, nobody counted time in them; beyond the other they are more than milliseconds. */
const leastMs = 1e11
const mostMs = 1e14

/**
 * When a usage limit ends, in epoch milliseconds. A time that is past or more than 8 days away is as good as unknown
 * (docs/agents.md, "Usage limits").
 *
 * @param epoch milliseconds; seconds, or milliseconds that were taken for seconds, are known by their size
 */
export function plausibleReset(epoch: number | undefined, nowMs: number): number | undefined {
  if (epoch === undefined || !Number.isFinite(epoch)) return undefined
  const epochMs = epoch < leastMs ? epoch * second : epoch > mostMs ? epoch / second : epoch
  return epochMs > nowMs && epochMs <= nowMs + longestMs ? epochMs : undefined
}

/** Characters of a text that are looked at, from each of its ends. */
const lookedAt = 4096
/** Characters behind a cue that can belong to a time. */
const longestTime = 120

/** Words that say that a time of reset follows; also as names of headers and of fields. */
const strongCues =
  /resets?(?:[-_]?(?:at|on|in|after|date|requests|tokens|time(?:[-_]?stamp)?)| (?:time|date)(?= ?:))?(?:[-_]?(?:ms|milliseconds|seconds))?(?![a-z])|\b(?:try again|retry(?:[-_ ]?after|[-_ ]?delay)?(?:[-_]?(?:ms|milliseconds|seconds))?|retrying|wait(?: for)?|available again|come back)(?![a-z])|\blimit reached\|/gi
/**
 * Words before a time of any kind: looked at only where the others led to nothing. When a limit was reached is no such time,
 * nor is the window in which so much may be used, and whoever pays may do so `in 2 minutes`.
 */
const weakCues =
  /(?<!\b(?:limit|reached|hit|exceeded|began|started|messages|requests|prompts|queries|calls|tokens|credits|times|uses|used|spent|upgrade|\$?\d[\d.,]{0,9}[a-z]{0,3}) )\b(?:at|in|on|after|until|tomorrow)\b/gi

/**
 * Reads when a limit ends: `resets 3am (Europe/London)`, `try again at Nov 28th, 2026 12:00 AM`, `in 4h 12m`, `usage limit
 * reached|<epoch>` and the like. A time of day without a date is the next one; a time without a zone is in `zone`, an IANA name,
 * by default that of this process, which agents inherit. Returns epoch milliseconds; undefined where nothing can be
 * read or believed.
 */
export function resetFromWords(text: string, nowMs: number, zone: Zone = localZone()): number | undefined {
  const looked = text.length > 2 * lookedAt ? `${text.slice(0, lookedAt)}\n${text.slice(-lookedAt)}` : text
  const plain = plainWords(looked)
  for (const cues of [strongCues, weakCues]) {
    let isTold = false
    for (const cue of plain.matchAll(cues)) {
      // `tomorrow` is a part of the time, every other cue stands before it.
      const word = cue[0].toLowerCase()
      const start = word === 'tomorrow' ? cue.index : cue.index + cue[0].length
      const follows = plain.slice(start, start + longestTime)
      const read = readTime(word, follows, { nowMs, zone }) ?? dayInWords(cues, follows)
      const reset = plausibleReset(read, nowMs)
      if (reset !== undefined) return reset
      isTold ||= read !== undefined
    }
    // What was told and cannot be believed is not looked for once more in a part of it.
    if (isTold) return undefined
  }
  return undefined
}

/** NaN where a day is told behind a cue that nobody can read: the hour alone would be that of another day. */
function dayInWords(cues: RegExp, follows: string): number | undefined {
  const sentence = /^[^;\n]*?(?=[.;] |\n|$)/.exec(follows)?.[0] ?? follows
  return cues === strongCues && otherDay.test(sentence) ? Number.NaN : undefined
}

/** A text without what is only there for the eye: colours, quotes and stars, blanks and dashes of other kinds. */
function plainWords(text: string): string {
  return withoutColours(text)
    .replace(/[\s"'`*\u2018\u2019\u201c\u201d]/g, ' ')
    .replace(/[\u2010-\u2013\u2212]/g, '-')
    .replace(/ {2,}/g, ' ')
}

/** Undefined where no time follows, NaN for one that cannot be, or that may be one of two. */
function readTime(cue: string, text: string, { nowMs, zone }: Here): number | undefined {
  const rest = { text }
  let before = /(?:^|resets?[-_]?|retry[-_ ]?)(in|at|after)$/.exec(cue)?.[1]
  for (let words = 0; words < 4; words += 1) {
    const found = take(rest, connector)
    if (!found) break
    before = found[1]?.toLowerCase() ?? before
  }
  take(rest, /^[ :=~@<(]{1,6}/)
  const clock =
    before === 'at'
      ? readHour(rest, { nowMs, zone })
      : daysAhead.test(rest.text)
        ? readClock(rest, nowMs, zone)
        : undefined
  if (clock !== undefined) return clock
  const span =
    readSpan(rest, before !== undefined) ??
    readBareSpan(cue, rest) ??
    (before === 'in' ? readStopwatch(rest) : undefined)
  if (span !== undefined) return span > 0 ? nowMs + span : Number.NaN
  const read = readEpoch(rest) ?? readIso(rest, zone) ?? readClock(rest, nowMs, zone)
  // A day that has a name of its own, `on Whit Monday at 4am`.
  return read ?? (before === 'on' ? Number.NaN : undefined)
}

const connector =
  /^[ :,=]{0,4}(?:again|is|(at|on|in|after|within)|by|around|about|approximately|approx|roughly|under|less than|your limit)(?![a-z])\.?/i
