import { numberWords } from '../number-words.js'
import { day, hour, minute, type Rest, second, take } from './reset-words.js'

// How long it is until a limit ends (./reset-time.ts): `4h 12m`, `an hour and a half`, `02:30:00`.

const part = new RegExp(
  String.raw`^[ ,~]{0,2}(?:and )?(?:\d{1,9} ?(?:h(?:ou)?rs?|h|min(?:ute)?s?|m|days?|d|s)? ?(?:-|to) ?)?(\d{1,9}(?:\.\d{1,9})?[ -]?|(?:half an?|an?|${numberWords.slice(1).join('|')})[ -])` +
    '(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z])',
  'i',
)
const units: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day, w: 7 * day }

/**
 * `4h 12m`, `3h0m0s`, `2.5s`, `2h30`, `an hour`, `2-3 hours`, `2 days, 1 hour and 10 minutes`: milliseconds. Without a word such
 * as `in` before it nobody knows whether `16h30` is a span or a time of day.
 */
export function readSpan(rest: Rest, isTold: boolean): number | undefined {
  let ms: number | undefined
  let last = 0
  for (let parts = 0; parts < 8; parts += 1) {
    const found = take(rest, part)
    if (!found) break
    last = unitMs(found[2])
    ms = (ms ?? 0) + (countOf(found[1]) + (take(rest, /^ and a half\b/i) ? 0.5 : 0)) * last
  }
  // 1d 02:03:04
  const clock = last === day ? take(rest, /^[ ,]{0,2}(\d{1,2}):(\d\d):(\d\d)(?![\d:])/) : undefined
  if (clock) ms = (ms ?? 0) + Number(clock[1]) * hour + Number(clock[2]) * minute + Number(clock[3]) * second
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
export function readBareSpan(cue: string, rest: Rest): number | undefined {
  const named =
    /(?:retry[-_ ]?(?:after|delay)|resets?[-_]?(?:in|after))[-_]?(ms|milliseconds|seconds)?$/.exec(cue)
  if (!named) return undefined
  const count = take(rest, /^(\d{1,9}(?:\.\d{1,9})?)(?![\d:/]| ?[a-z]|-\d)/i)?.[1]
  return count === undefined
    ? undefined
    : Math.round(Number(count) * (named[1]?.startsWith('m') ? 1 : second))
}

/** `02:30:00`; of `2:30` nobody knows whether it is hours or minutes. */
export function readStopwatch(rest: Rest): number | undefined {
  const found = take(rest, /^(\d{1,3}):(\d\d)(?::(\d\d))?(?![\d:]| ?[ap]\.?m\b)/i)
  if (!found) return undefined
  if (found[3] === undefined) return Number.NaN
  return Number(found[1]) * hour + Number(found[2]) * minute + Number(found[3]) * second
}
