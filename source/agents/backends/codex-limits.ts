import type { AgentEvent } from '../agent.js'
import { type Fields, fieldsOf, numberIn } from '../fields.js'
import { plausibleReset } from '../reset-time.js'

// When a usage limit of codex ends (docs/agents.md, "Usage limits"): epoch seconds from the app-server, prose from
// `exec`.

export type LimitEvent = Extract<AgentEvent, { type: 'limit' }>

const minuteMs = 60_000
/** Share of a window from which on a warning is given, in percent. */
const warnAtPct = 80

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const clock = String.raw`(\d{1,2}):(\d{2})\s*([AP])\.?M`
const dated = new RegExp(
  String.raw`try again (?:at|on) ([A-Z][a-z]{2})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),?(?: at)? ${clock}`,
  'i',
)
const timed = new RegExp(`try again at ${clock}`, 'i')
const spans = /try again in ((?:\d+ (?:day|hour|minute|second)s?[, ]*(?:and )?)+)/i
const unitMs = { day: 1440 * minuteMs, hour: 60 * minuteMs, minute: minuteMs, second: 1000 }

/**
 * Reads "try again at 11:56 PM" (today) and "try again at Nov 28th, 2026 12:00 AM", both local time, and "try again in
 * 3 hours 5 minutes". Returns epoch milliseconds, or undefined where no time can be read or believed.
 */
export function resetFromProse(text: string, now: number): number | undefined {
  const date = dated.exec(text)
  if (date) {
    const [, month = '', day = '', year = '', ...time] = date
    const index = months.indexOf(month.toLowerCase())
    return plausibleReset(index < 0 ? undefined : localTime(Number(year), index, Number(day), time), now)
  }
  const time = timed.exec(text)
  if (time) {
    const today = new Date(now)
    const at = localTime(today.getFullYear(), today.getMonth(), today.getDate(), time.slice(1))
    return plausibleReset(at, now)
  }
  const span = spans.exec(text)?.[1]
  if (span === undefined) return undefined
  let ms = 0
  for (const [, count, unit = ''] of span.matchAll(/(\d+) (day|hour|minute|second)/gi)) {
    ms += Number(count) * unitMs[unit.toLowerCase() as keyof typeof unitMs]
  }
  return plausibleReset(now + ms, now)
}

function localTime(year: number, month: number, day: number, time: string[]): number | undefined {
  const [hour, minute] = time.map(Number)
  if (hour === undefined || minute === undefined || hour < 1 || hour > 12 || minute > 59) return undefined
  const isPm = time[2]?.toUpperCase() === 'P'
  const date = new Date(year, month, day, (hour % 12) + (isPm ? 12 : 0), minute)
  return date.getMonth() === month && date.getDate() === day ? date.getTime() : undefined
}

interface Window {
  usedPct: number | undefined
  minutes: number | undefined
  /** Epoch milliseconds, as told. */
  resetsAt: number | undefined
}

type WindowName = 'primary' | 'secondary'

/** The windows of an account as they were told last, and the whole percent that each was warned of. */
export interface RateLimits {
  windows: Readonly<Partial<Record<WindowName, Window>>>
  warned: Readonly<Partial<Record<WindowName, number>>>
}

export const noRateLimits: RateLimits = { windows: {}, warned: {} }

/**
 * Takes `account/rateLimits/updated`; a window that is null in it is unchanged. Each window warns once per whole percent
 * from 80 on.
 */
export function updateRateLimits(
  before: RateLimits,
  snapshot: Fields,
  now: number,
): [RateLimits, LimitEvent | undefined] {
  let limits = before
  let due: LimitEvent | undefined
  for (const name of ['primary', 'secondary'] as const) {
    const told = fieldsOf(snapshot[name])
    const usedPct = numberIn(told, 'usedPercent')
    if (usedPct === undefined) continue
    const seconds = numberIn(told, 'resetsAt')
    const window = {
      usedPct,
      minutes: numberIn(told, 'windowDurationMins'),
      resetsAt: seconds === undefined ? undefined : seconds * 1000,
    }
    limits = { ...limits, windows: { ...limits.windows, [name]: window } }
    const step = Math.floor(usedPct)
    if (usedPct < warnAtPct || (limits.warned[name] ?? 0) >= step) continue
    limits = { ...limits, warned: { ...limits.warned, [name]: step } }
    due = limitEvent('warning', window, plausibleReset(window.resetsAt, now))
  }
  return [limits, due]
}

/** When the limit that was hit ends; prose is the error's message. */
export function limitResetsAt(limits: RateLimits, prose: string, now: number): number | undefined {
  const times = fullWindows(limits).flatMap((each) => plausibleReset(each.resetsAt, now) ?? [])
  if (times.length > 0) return Math.max(...times)
  return resetFromProse(prose, now) ?? plausibleReset(limits.windows.primary?.resetsAt, now)
}

/** Told when a limit was hit. */
export function limitRejected(limits: RateLimits, prose: string, now: number): LimitEvent {
  const window = fullWindows(limits)[0] ?? limits.windows.primary
  return limitEvent('rejected', window, limitResetsAt(limits, prose, now))
}

function fullWindows({ windows }: RateLimits): Window[] {
  return [windows.primary, windows.secondary].flatMap((each) =>
    each && (each.usedPct ?? 0) >= 100 ? [each] : [],
  )
}

function limitEvent(
  status: LimitEvent['status'],
  window: Window | undefined,
  resetsAt: number | undefined,
): LimitEvent {
  return {
    type: 'limit',
    status,
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(window?.minutes === undefined ? {} : { window: spanName(window.minutes) }),
    ...(window?.usedPct === undefined ? {} : { usedPct: window.usedPct }),
  }
}

/** `5 h`, `7 d`, `90 min` */
function spanName(minutes: number): string {
  if (minutes % 1440 === 0) return `${minutes / 1440} d`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
}
