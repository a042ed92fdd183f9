import { aboutText } from '../../durations.js'
import type { AgentEvent } from '../agent.js'
import { type Fields, fieldsOf, numberIn } from '../fields.js'
import { plausibleReset, resetFromWords } from '../reset-time.js'

// When a usage limit of codex ends (docs/agents.md, "Usage limits"): epoch seconds from the app-server, prose from
// `exec`.

export type LimitEvent = Extract<AgentEvent, { type: 'limit' }>

/** Share of a window from which on a warning is given, in percent. */
const warnAtPct = 80

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
  return resetFromWords(prose, now) ?? plausibleReset(limits.windows.primary?.resetsAt, now)
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
    ...(window?.minutes === undefined ? {} : { window: aboutText(window.minutes * 60_000) }),
    ...(window?.usedPct === undefined ? {} : { usedPct: window.usedPct }),
  }
}
