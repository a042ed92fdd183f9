import { numberWords } from '../number-words.js'
import { withoutColours } from '../without-colours.js'
import { instantsOf, localZone, wallClock, type Zone, zoneNamed } from './zone.js'

// When a usage limit ends, as agents tell it in words (docs/agents.md, "Usage limits"): one reader for all of them. Every
// pattern is anchored and bounded, and of a long text only the ends are read, so that no text can keep it busy.

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
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
  /resets?(?:[-_]?(?:at|on|in|date|requests|tokens|time(?:[-_]?stamp)?))?(?:[-_]?(?:ms|milliseconds|seconds))?(?![a-z])|\b(?:try again|retry(?:[-_ ]?after|[-_ ]?delay)?(?:[-_]?(?:ms|milliseconds|seconds))?|retrying|wait(?: for)?|available again|come back)(?![a-z])|\blimit reached\|/gi
/** Words before a time of any kind: looked at only where the others led to nothing. When a limit was reached is no such time. */
const weakCues = /(?<!\b(?:limit|reached|hit|exceeded|began|started) )\b(?:at|in|on|after|until|tomorrow)\b/gi

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

/** What is left of a text while it is read from its beginning. */
interface Rest {
  text: string
}

/** Where and when a text is read. */
interface Here {
  nowMs: number
  zone: Zone
}

/** Takes what an anchored pattern matches off the beginning. */
function take(rest: Rest, pattern: RegExp): RegExpExecArray | undefined {
  const found = pattern.exec(rest.text)
  if (!found) return undefined
  rest.text = rest.text.slice(found[0].length)
  return found
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

const part = new RegExp(
  String.raw`^[ ,~]{0,2}(?:and )?(?:\d{1,9} ?(?:-|to) ?)?(\d{1,9}(?:\.\d{1,9})?[ -]?|(?:half an?|an?|${numberWords.slice(1).join('|')})[ -])` +
    '(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z])',
  'i',
)
const units: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day, w: 7 * day }

/**
 * `4h 12m`, `3h0m0s`, `2.5s`, `2h30`, `an hour`, `2-3 hours`, `2 days, 1 hour and 10 minutes`: milliseconds. Without a word such
 * as `in` before it nobody knows whether `16h30` is a span or a time of day.
 */
function readSpan(rest: Rest, isTold: boolean): number | undefined {
  let ms: number | undefined
  let last = 0
  for (let parts = 0; parts < 8; parts += 1) {
    const found = take(rest, part)
    if (!found) break
    last = unitMs(found[2])
    ms = (ms ?? 0) + (countOf(found[1]) + (take(rest, /^ and a half\b/i) ? 0.5 : 0)) * last
  }
  // 2h30 is half an hour more.
  const minutes = last === hour ? take(rest, /^(\d{1,2})(?![\d:.]| ?[a-z])/i)?.[1] : undefined
  if (minutes !== undefined && !isTold) return Number.NaN
  return ms === undefined ? undefined : Math.round(ms + Number(minutes ?? 0) * minute)
}

function unitMs(unit = ''): number {
  return /^m(?:s|illi)/i.test(unit) ? 1 : (units[unit.charAt(0).toLowerCase()] ?? Number.NaN)
}

function countOf(count = ''): number {
  const word = count.toLowerCase().replace(/[ -]$/, '')
  if (word.startsWith('half')) return 0.5
  if (/^an?$/.test(word)) return 1
  const at = numberWords.indexOf(word)
  return at < 0 ? Number(word) : at
}

/** `retry-after: 120`, `resets_in_seconds: 5400`: headers and fields carry a mere number, of seconds where they name no unit. */
function readBareSpan(cue: string, rest: Rest): number | undefined {
  const named = /(?:retry[-_ ]?(?:after|delay)|resets?[-_]?in)[-_]?(ms|milliseconds|seconds)?$/.exec(cue)
  if (!named) return undefined
  const count = take(rest, /^(\d{1,9}(?:\.\d{1,9})?)(?![\d:/]| ?[a-z]|-\d)/i)?.[1]
  return count === undefined
    ? undefined
    : Math.round(Number(count) * (named[1]?.startsWith('m') ? 1 : second))
}

/** `02:30:00`; of `2:30` nobody knows whether it is hours or minutes. */
function readStopwatch(rest: Rest): number | undefined {
  const found = take(rest, /^(\d{1,3}):(\d\d)(?::(\d\d))?(?![\d:]| ?[ap]\.?m\b)/i)
  if (!found) return undefined
  if (found[3] === undefined) return Number.NaN
  return Number(found[1]) * hour + Number(found[2]) * minute + Number(found[3]) * second
}

/** `at 15h30`, `at 15h`: no span. */
function readHour(rest: Rest, { nowMs, zone }: Here): number | undefined {
  const found = take(rest, /^(\d{1,2}) ?h(?:(\d\d))?(?![a-z\d])/i)
  if (!found) return undefined
  const [hours, minutes] = [Number(found[1]), Number(found[2] ?? 0)]
  if (hours > 23 || minutes > 59) return Number.NaN
  return readDayOf(rest, { ms: hours * hour + minutes * minute }, { nowMs, zone })
}

/** Seconds and milliseconds are both in use. */
function readEpoch(rest: Rest): number | undefined {
  const digits = take(rest, /^(\d{10}|\d{13})(?!\d)/)?.[1]
  if (digits === undefined) return undefined
  return digits.length === 10 ? Number(digits) * second : Number(digits)
}

const isoTime =
  /^(\d{4})[-/](\d\d)[-/](\d\d)(?:T|,? (?:at )?)(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z\b|[+-]\d\d:?\d\d)?/i

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
  String.raw`^(\d{1,2})(?:st|nd|rd|th)?(?:[ -]| of )(${monthNames})[a-z]{0,6}\.?(?:(?:,? |-)(\d{4})(?![\d:]))?`,
  'i',
)
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const weekday =
  /^(?:next |every |each )?(sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?)\b\.?/i

/** `the 25th`, `25th of May` goes before it. */
const dayOfMonth = /^(?:the )?(\d{1,2})(?:st|nd|rd|th)\b/i
/** `5/28`: which of the two is the month is known only where the other cannot be one. */
const inFigures = /^(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4})?)?(?![\d:]| ?[ap]\.?m\b)/i
const daysAhead = /^(\d{1,2}) days?,? (?=at )/i
/** Days in other words, or behind others: which one is meant is not known here. */
const otherDay = new RegExp(
  String.raw`\b(?:\d{1,2}(?:st|nd|rd|th)|\d{1,2}[/.]\d{1,2}(?:[/.]|\b)(?! ?[ap]\.?m\b)|\d{4}-\d\d-\d\d|week|month|\d{1,2}[. -]{1,2}(?:${monthNames})[a-z]{0,6}|(?:${monthNames})[a-z]{0,6}\.? \d{1,2}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow)\b`,
  'i',
)

/** Which day a time is on. */
type OnDay =
  | { is: 'next' }
  | { is: 'of month'; date: number }
  | { is: 'ahead'; days: number }
  | { is: 'weekday'; day: number }
  | { is: 'date'; month: number; date: number; year?: number }

function readDay(rest: Rest): OnDay | undefined {
  if (take(rest, /^(?:today|tonight)\b/i)) return { is: 'ahead', days: 0 }
  if (take(rest, /^(?:each|every) day\b/i)) return { is: 'next' }
  if (take(rest, /^tomorrow\b/i)) return { is: 'ahead', days: 1 }
  if (take(rest, /^(?:the )?day after tomorrow\b/i)) return { is: 'ahead', days: 2 }
  const days = take(rest, daysAhead)?.[1]
  if (days !== undefined) return { is: 'ahead', days: Number(days) }
  const named = take(rest, weekday)?.[1]
  if (named !== undefined) take(rest, /^[ ,]{1,3}/)
  return readDate(rest, named)
}

/** A date, or the weekday that was read before it. */
function readDate(rest: Rest, named: string | undefined): OnDay | undefined {
  take(rest, /^the (?=\d)/i)
  const month = take(rest, monthFirst)
  if (month) return onDate(month[1], month[2], month[3])
  const date = take(rest, dateFirst)
  if (date) return onDate(date[2], date[1], date[3])
  const dotted = take(rest, /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/)
  if (dotted)
    return { is: 'date', month: Number(dotted[2]), date: Number(dotted[1]), year: Number(dotted[3]) }
  const iso = take(rest, /^(\d{4})-(\d\d)-(\d\d)(?![\d:T])/)
  if (iso) return { is: 'date', month: Number(iso[2]), date: Number(iso[3]), year: Number(iso[1]) }
  const figures = take(rest, inFigures)
  if (figures) return dateInFigures(figures)
  const alone =
    take(rest, dayOfMonth) ?? (named === undefined ? undefined : take(rest, /^(\d{1,2})(?= at )/i))
  if (alone) return { is: 'of month', date: Number(alone[1]) }
  return named === undefined
    ? undefined
    : { is: 'weekday', day: weekdays.indexOf(named.slice(0, 3).toLowerCase()) }
}

/** No day at all, month 0, where both could be the month. */
function dateInFigures([, first, second, year]: RegExpExecArray): OnDay {
  const [one, other] = [Number(first), Number(second)]
  const month = one > 12 ? other : other > 12 || one === other ? one : 0
  const date = one > 12 ? one : other
  return { is: 'date', month, date, ...(year === undefined ? {} : { year: Number(year) }) }
}

function onDate(month = '', date = '', year?: string): OnDay {
  const at = monthNames.split('|').indexOf(month.slice(0, 3).toLowerCase()) + 1
  return { is: 'date', month: at, date: Number(date), ...(year === undefined ? {} : { year: Number(year) }) }
}

/** `3am`, `9:05 AM`, `14:30`, `noon`: milliseconds after midnight by the clock on the wall. */
function readTimeOfDay(rest: Rest): number | undefined {
  const named = take(rest, /^(?:12 ?)?(noon|midnight)\b/i)?.[1]
  if (named !== undefined) return named.toLowerCase() === 'noon' ? 12 * hour : 0
  const half = take(rest, /^(\d{1,2})(?:[:.](\d\d))?(?::(\d\d))? ?([ap])\.?m\b\.?/i)
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
  if (before) take(rest, /^(?: \([a-z]{3,9}\))?[ ,@-]{0,3}(?:at )?/i)
  const ms = readTimeOfDay(rest)
  if (ms === undefined || Number.isNaN(ms)) return before ? Number.NaN : ms
  return readDayOf(rest, { ms, ...(before ? { before } : {}) }, { nowMs, zone })
}

/** The moment of a time of day: zone and day may follow it. */
function readDayOf(rest: Rest, told: { ms: number; before?: OnDay }, { nowMs, zone }: Here): number {
  const { ms, before } = told
  let named = takeZone(rest, undefined)
  const from = rest.text
  take(rest, /^[ ,]{0,3}(?:on )?/)
  const behind = before ? undefined : readDay(rest)
  if (!behind) rest.text = from
  // A span of time, or a day that is not known here: not the next one.
  if (!behind && /^ ?(?:[-/]|to|or) ?\d/i.test(from)) return Number.NaN
  if (!before && !behind && otherDay.test(/^.{0,20}/.exec(from)?.[0] ?? '')) return Number.NaN
  if (behind) named ??= takeZone(rest, undefined)
  if (named === 'unknown') return Number.NaN
  return firstAfter(nowMs, before ?? behind ?? { is: 'next' }, ms, named ?? zone) ?? Number.NaN
}

/** The zone that follows; `usual` where none does, and 'unknown' for a name that nobody can place. */
function takeZone(rest: Rest, usual: undefined): Zone | 'unknown' | undefined
function takeZone(rest: Rest, usual: Zone): Zone | undefined
function takeZone(rest: Rest, usual: Zone | undefined): Zone | 'unknown' | undefined {
  const unknown = usual === undefined ? 'unknown' : undefined
  const inBrackets = take(rest, /^ ?\(([a-z][\w+\-/:]{1,40}|[a-z][a-z ]{1,40}(?= time\)))(?: time)?\)/i)?.[1]
  if (inBrackets !== undefined) {
    return /^(?:your )?local$/i.test(inBrackets) ? usual : (zoneNamed(inBrackets) ?? unknown)
  }
  const spoken = take(rest, /^ ?(?:([ECMP]T)|((?:[A-Za-z]{2,20} ){1,3})[Tt]ime)\b/)
  const name = (spoken?.[1] ?? spoken?.[2])?.trim()
  if (name !== undefined) return /^(?:your )?local$/i.test(name) ? usual : (zoneNamed(name) ?? unknown)
  const bare = take(
    rest,
    /^ ?((?:UTC|GMT|utc|gmt)(?:[+-]\d{1,2}(?::?\d\d)?)?|[+-]\d\d:?\d\d|[A-Z][\w+-]{1,20}(?:\/[\w+-]{1,20}){1,2}|[A-Z]{2,4}T|Z)\b/,
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
    case 'of month':
      return [0, 1].flatMap((months) => dayThatIs(year, month + months, on.date))
    case 'weekday': {
      const days = (on.day - new Date(Date.UTC(year, month - 1, date)).getUTCDay() + 7) % 7
      return [ahead(days), ahead(days + 7)]
    }
    case 'date': {
      const years = on.year === undefined ? [year, year + 1] : [on.year]
      return years.flatMap((each) => (on.month > 0 ? dayThatIs(each, on.month, on.date) : []))
    }
  }
}

/** The 30th of February is no day. */
function dayThatIs(
  year: number,
  month: number,
  date: number,
): { year: number; month: number; date: number }[] {
  return date > 0 && new Date(Date.UTC(year, month - 1, date)).getUTCDate() === date
    ? [{ year, month, date }]
    : []
}
