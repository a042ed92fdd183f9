import { instantsOf, localZone, wallClock, type Zone, zoneNamed } from './zone.js'

// When a usage limit ends, as agents tell it in words (docs/agents.md, "Usage limits"): one reader for all of them. Every
// pattern is anchored and bounded, and of a long text only the ends are read, so that no text can keep it busy.

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const longestMs = 8 * day

/**
 * When a usage limit ends, in epoch milliseconds. A time that is past or more than 8 days away is as good as unknown
 * (docs/agents.md, "Usage limits").
 */
export function plausibleReset(epochMs: number | undefined, nowMs: number): number | undefined {
  if (epochMs === undefined || !Number.isFinite(epochMs)) return undefined
  return epochMs > nowMs && epochMs <= nowMs + longestMs ? epochMs : undefined
}

/** Characters of a text that are looked at, from each of its ends. */
const lookedAt = 4096
/** Characters behind a cue that can belong to a time. */
const longestTime = 120

/** Words that say that a time of reset follows. */
const strongCues = /\b(?:resets?|try again|retry|retrying|available again|come back|limit reached\|)/gi
/** Words before a time of any kind: looked at only where the others led to nothing. */
const weakCues = /\b(?:at|in|on|after|until|tomorrow)\b/gi

/**
 * Reads when a limit ends: `resets 3am (Europe/London)`, `try again at Nov 28th, 2026 12:00 AM`, `in 4h 12m`, `usage limit
 * reached|<epoch>` and the like. A time of day without a date is the next one; a time without a zone is in `zone`, an IANA name,
 * by default that of this process, which agents inherit. Returns epoch milliseconds; undefined where nothing can be
 * read or believed.
 */
export function resetFromWords(text: string, nowMs: number, zone: Zone = localZone()): number | undefined {
  const looked = text.length > 2 * lookedAt ? `${text.slice(0, lookedAt)}\n${text.slice(-lookedAt)}` : text
  const plain = looked.replace(/\s/g, ' ')
  for (const cues of [strongCues, weakCues]) {
    let isTold = false
    for (const cue of plain.matchAll(cues)) {
      // `tomorrow` is a part of the time, every other cue stands before it.
      const start = cue[0].toLowerCase() === 'tomorrow' ? cue.index : cue.index + cue[0].length
      const read = readTime(plain.slice(start, start + longestTime), nowMs, zone)
      const reset = plausibleReset(read, nowMs)
      if (reset !== undefined) return reset
      isTold ||= read !== undefined
    }
    // What was told and cannot be believed is not looked for once more in a part of it.
    if (isTold) return undefined
  }
  return undefined
}

/** What is left of a text while it is read from its beginning. */
interface Rest {
  text: string
}

/** Takes what an anchored pattern matches off the beginning. */
function take(rest: Rest, pattern: RegExp): RegExpExecArray | undefined {
  const found = pattern.exec(rest.text)
  if (!found) return undefined
  rest.text = rest.text.slice(found[0].length)
  return found
}

/** Undefined where no time follows, NaN for one that cannot be. */
function readTime(text: string, nowMs: number, zone: Zone): number | undefined {
  const rest = { text }
  for (let words = 0; words < 4 && take(rest, connector); words += 1);
  take(rest, /^[ :]{1,4}/)
  const span = readSpan(rest)
  if (span !== undefined) return span > 0 ? nowMs + span : Number.NaN
  return readEpoch(rest) ?? readIso(rest, zone) ?? readClock(rest, nowMs, zone)
}

const connector = /^[ :,]{0,3}(?:again|is|at|on|in|after|by|around|about|your limit)\b/i

const part =
  /^[ ,]{0,2}(?:and )?(\d{1,9}(?:\.\d{1,9})?) ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z])/i
const units: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day, w: 7 * day }

/** `4h 12m`, `3h0m0s`, `2.5s`, `2 days, 1 hour and 10 minutes`: milliseconds. */
function readSpan(rest: Rest): number | undefined {
  let ms: number | undefined
  for (let parts = 0; parts < 8; parts += 1) {
    const found = take(rest, part)
    if (!found) break
    const unit = (found[2] ?? '').toLowerCase()
    const size = /^m(?:s|illi)/.test(unit) ? 1 : (units[unit.charAt(0)] ?? Number.NaN)
    ms = (ms ?? 0) + Number(found[1]) * size
  }
  return ms === undefined ? undefined : Math.round(ms)
}

/** Seconds and milliseconds are both in use. */
function readEpoch(rest: Rest): number | undefined {
  const digits = take(rest, /^(\d{10}|\d{13})(?!\d)/)?.[1]
  if (digits === undefined) return undefined
  return digits.length === 10 ? Number(digits) * second : Number(digits)
}

const isoTime =
  /^(\d{4})-(\d\d)-(\d\d)(?:T|,? (?:at )?)(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z\b|[+-]\d\d:?\d\d)?/i

function readIso(rest: Rest, zone: Zone): number | undefined {
  const found = take(rest, isoTime)
  if (!found) return undefined
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1, 7)
    .map((each) => Number(each ?? 0))
  const named = found[7] === undefined ? takeZone(rest, zone) : zoneNamed(found[7])
  if (named === undefined || hours > 23 || minutes > 59 || seconds > 59) return Number.NaN
  return instantsOf({ year, month, date, ms: hours * hour + minutes * minute + seconds * second }, named)[0]
}

const monthNames = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const monthFirst = new RegExp(
  String.raw`^(${monthNames})[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?(?!\d|:)(?:,? (\d{4})(?![\d:]))?`,
  'i',
)
const dateFirst = new RegExp(
  String.raw`^(\d{1,2})(?:st|nd|rd|th)? (${monthNames})[a-z]{0,6}\.?(?:,? (\d{4})(?![\d:]))?`,
  'i',
)
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const weekday =
  /^(?:next )?(sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?)\b\.?/i

/** Which day a time is on. */
type OnDay =
  | { is: 'next' }
  | { is: 'ahead'; days: number }
  | { is: 'weekday'; day: number }
  | { is: 'date'; month: number; date: number; year?: number }

function readDay(rest: Rest): OnDay | undefined {
  if (take(rest, /^(?:today|tonight)\b/i)) return { is: 'ahead', days: 0 }
  if (take(rest, /^tomorrow\b/i)) return { is: 'ahead', days: 1 }
  const named = take(rest, weekday)?.[1]
  if (named !== undefined) take(rest, /^[ ,]{1,3}/)
  const month = take(rest, monthFirst)
  if (month) return onDate(month[1], month[2], month[3])
  const date = take(rest, dateFirst)
  if (date) return onDate(date[2], date[1], date[3])
  return named === undefined
    ? undefined
    : { is: 'weekday', day: weekdays.indexOf(named.slice(0, 3).toLowerCase()) }
}

function onDate(month = '', date = '', year?: string): OnDay {
  const at = monthNames.split('|').indexOf(month.slice(0, 3).toLowerCase()) + 1
  return { is: 'date', month: at, date: Number(date), ...(year === undefined ? {} : { year: Number(year) }) }
}

/** `3am`, `9:05 AM`, `14:30`: milliseconds after midnight by the clock on the wall. */
function readTimeOfDay(rest: Rest): number | undefined {
  const half = take(rest, /^(\d{1,2})(?::(\d\d))?(?::(\d\d))? ?([ap])\.?m\b\.?/i)
  const whole = half ?? take(rest, /^(\d{1,2}):(\d\d)(?::(\d\d))?(?![\d:])/)
  if (!whole) return undefined
  const [hours = 0, minutes = 0, seconds = 0] = whole.slice(1, 4).map((each) => Number(each ?? 0))
  const isRight = half ? hours >= 1 && hours <= 12 : hours <= 23
  if (!isRight || minutes > 59 || seconds > 59) return Number.NaN
  const fullHours = half ? (hours % 12) + (half[4]?.toLowerCase() === 'p' ? 12 : 0) : hours
  return fullHours * hour + minutes * minute + seconds * second
}

/** A time of day, with or without a day before or behind it and a zone at its end. */
function readClock(rest: Rest, nowMs: number, zone: Zone): number | undefined {
  const before = readDay(rest)
  if (before) take(rest, /^[ ,]{0,3}(?:at )?/)
  const ms = readTimeOfDay(rest)
  if (ms === undefined || Number.isNaN(ms)) return before ? Number.NaN : ms
  let named = takeZone(rest, undefined)
  const from = rest.text
  take(rest, /^[ ,]{0,3}(?:on )?/)
  const behind = before ? undefined : readDay(rest)
  if (!behind) rest.text = from
  else named ??= takeZone(rest, undefined)
  if (named === 'unknown') return Number.NaN
  return firstAfter(nowMs, before ?? behind ?? { is: 'next' }, ms, named ?? zone) ?? Number.NaN
}

/** The zone that follows; `usual` where none does, and 'unknown' for a name that nobody can place. */
function takeZone(rest: Rest, usual: undefined): Zone | 'unknown' | undefined
function takeZone(rest: Rest, usual: Zone): Zone | undefined
function takeZone(rest: Rest, usual: Zone | undefined): Zone | 'unknown' | undefined {
  const unknown = usual === undefined ? 'unknown' : undefined
  const inBrackets = take(rest, /^ ?\(([a-z][\w+\-/:]{1,40})(?: time)?\)/i)?.[1]
  if (inBrackets !== undefined) {
    return /^local$/i.test(inBrackets) ? usual : (zoneNamed(inBrackets) ?? unknown)
  }
  const bare = take(
    rest,
    /^ ?((?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d\d)?)?|[A-Z][\w+-]{1,20}(?:\/[\w+-]{1,20}){1,2}|[A-Z]{2,4}T|Z)\b/,
  )?.[1]
  return bare === undefined ? usual : (zoneNamed(bare) ?? unknown)
}

/** The first moment of that description that is still to come. */
function firstAfter(nowMs: number, on: OnDay, ms: number, zone: Zone): number | undefined {
  const today = wallClock(nowMs, zone)
  const moments = daysOf(on, today).flatMap((each) => instantsOf({ ...each, ms }, zone))
  return moments.find((each) => each > nowMs)
}

function daysOf(
  on: OnDay,
  today: ReturnType<typeof wallClock>,
): { year: number; month: number; date: number }[] {
  const { year, month, date } = today
  const ahead = (days: number) => ({ year, month, date: date + days })
  switch (on.is) {
    case 'next':
      return [ahead(0), ahead(1), ahead(2)]
    case 'ahead':
      return [ahead(on.days)]
    case 'weekday': {
      const days = (on.day - new Date(Date.UTC(year, month - 1, date)).getUTCDay() + 7) % 7
      return [ahead(days), ahead(days + 7)]
    }
    case 'date': {
      const years = on.year === undefined ? [year, year + 1] : [on.year]
      // The 30th of February is no day.
      return years.flatMap((each) =>
        on.month > 0 &&
        new Date(Date.UTC(each, on.month - 1, on.date)).getUTCDate() === on.date &&
        on.date > 0
          ? [{ year: each, month: on.month, date: on.date }]
          : [],
      )
    }
  }
}
