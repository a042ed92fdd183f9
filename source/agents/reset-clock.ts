import { daysOf, type OnDay, otherDay, readDay } from './reset-days.js'
import { type Here, hour, minute, type Rest, second, take } from './reset-words.js'
import { instantsOf, wallClock, type Zone, zoneNamed } from './zone.js'

// The moment at which a limit ends (./reset-time.ts): a time of day with or without a day and a zone, a date of a computer, an epoch.

/** `at 15h30`, `at 15h`: no span. */
export function readHour(rest: Rest, { nowMs, zone }: Here): number | undefined {
  const found = take(rest, /^(\d{1,2}) ?h(?: ?(\d\d)(?!\d))?(?![a-z\d])/i)
  if (!found) return undefined
  const [hours, minutes] = [Number(found[1]), Number(found[2] ?? 0)]
  if (hours > 23 || minutes > 59) return Number.NaN
  return readDayOf(rest, { ms: hours * hour + minutes * minute }, { nowMs, zone })
}

/** Seconds and milliseconds are both in use. */
export function readEpoch(rest: Rest): number | undefined {
  const digits = take(rest, /^(\d{10}|\d{13})(?!\d)/)?.[1]
  if (digits === undefined) return undefined
  return digits.length === 10 ? Number(digits) * second : Number(digits)
}

const isoTime =
  /^(\d{4})[-/](\d\d)[-/](\d\d)(?:T|,? (?:at )?)(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z\b|[+-]\d\d:?\d\d)?/i

/** A date as computers write it, with or without a zone. */
export function readIso(rest: Rest, zone: Zone): number | undefined {
  const found = take(rest, isoTime)
  if (!found) return undefined
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1, 7)
    .map((each) => Number(each ?? 0))
  const named = found[7] === undefined ? takeZone(rest, zone) : zoneNamed(found[7])
  if (named === undefined || hours > 23 || minutes > 59 || seconds > 59) return Number.NaN
  return instantsOf({ year, month, date, ms: hours * hour + minutes * minute + seconds * second }, named)[0]
}

const halfInWords = /^ in the (morning|afternoon|evening)\b/i
/** Behind a time of twelve hours, a word that may be the half of the day in another language, `3:00 nachm.`. */
const otherHalf =
  /^ ?(?:(?=\P{ASCII})\p{L}|(?:vorm|nachm|vormittags|nachmittags|morgens|abends|nachts|du|de l[ao]|del|da|di|at night|tonight|this)\b)/iu

/** `3am`, `9:05 AM`, `14:30`, `noon`: milliseconds after midnight by the clock on the wall. */
function readTimeOfDay(rest: Rest): number | undefined {
  const named = take(rest, /^(?:12 ?)?(noon|midnight)\b/i)?.[1]
  if (named !== undefined) return named.toLowerCase() === 'noon' ? 12 * hour : 0
  const half = take(rest, /^(\d{1,2})(?:[:.](\d\d))?(?::(\d\d))? ?([ap])\.? ?m\b\.?/i)
  const whole = half ?? take(rest, /^(\d{1,2}):(\d\d)(?::(\d\d))?(?![\d:])/)
  if (!whole) return undefined
  const [hours = 0, minutes = 0, seconds = 0] = whole.slice(1, 4).map((each) => Number(each ?? 0))
  const isRight = half ? hours >= 1 && hours <= 12 : hours <= 23
  if (!isRight || minutes > 59 || seconds > 59) return Number.NaN
  const spoken = half || hours === 0 || hours > 12 ? undefined : take(rest, halfInWords)?.[1]
  if (spoken === undefined && !half && hours <= 12 && otherHalf.test(rest.text)) return Number.NaN
  const sign = (half?.[4] ?? spoken)?.toLowerCase()
  const isLate = sign === 'p' || sign === 'afternoon' || sign === 'evening'
  const fullHours = sign === undefined ? hours : (hours % 12) + (isLate ? 12 : 0)
  return fullHours * hour + minutes * minute + seconds * second
}

/** A time of day, with or without a day before or behind it and a zone at its end. */
export function readClock(rest: Rest, nowMs: number, zone: Zone): number | undefined {
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
