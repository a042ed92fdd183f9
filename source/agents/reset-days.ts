import { type Rest, take } from './reset-words.js'
import type { WallClock } from './zone.js'

// The day on which a limit ends (./reset-time.ts): `tomorrow`, `next Monday`, `Nov 28th, 2026`, `28/11`.

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
  /^(?:next |this |every |each )?(sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?)\b\.?/i

/** `the 25th`, `25th of May` goes before it. */
const dayOfMonth = /^(?:the )?(\d{1,2})(?:st|nd|rd|th)\b/i
/** `5/28`: which of the two is the month is known only where the other cannot be one. */
const inFigures = /^(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4})?)?(?![\d:]| ?[ap]\.?m\b)/i
export const daysAhead = /^(\d{1,2}) days?,? (?=at )/i
/** Days in other words, or behind others: which one is meant is not known here. */
export const otherDay = new RegExp(
  String.raw`\b(?:\d{1,2}(?:st|nd|rd|th)|\d{1,2}[/.]\d{1,2}(?:[/.]|\b)(?! ?[ap]\.?m\b)|\d{4}-\d\d-\d\d|week|month|\d{1,2}[. -]{1,2}(?:${monthNames})[a-z]{0,6}|(?:${monthNames})[a-z]{0,6}\.? \d{1,2}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow)\b`,
  'i',
)

/** Which day a time is on. */
export type OnDay =
  | { is: 'next' }
  | { is: 'of month'; date: number }
  | { is: 'ahead'; days: number }
  | { is: 'weekday'; day: number }
  | { is: 'date'; month: number; date: number; year?: number }

export function readDay(rest: Rest): OnDay | undefined {
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

/** The days that a description fits, the next one first. */
export function daysOf(on: OnDay, today: WallClock): { year: number; month: number; date: number }[] {
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
