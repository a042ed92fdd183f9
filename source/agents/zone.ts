import { lookup } from '../lookup.js'

// Clocks on the wall: what they show at a moment, and at which moments they show something.

/** An IANA name, or minutes east of Greenwich. */
export type Zone = string | number

const minuteMs = 60_000
const dayMs = 1440 * minuteMs

/** The zone of this process, which its children inherit with TZ. */
export function localZone(): Zone {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone !== undefined && formatOf(timeZone) ? timeZone : 'UTC'
}

/** Those of the continent that the services come from, and others that mean one zone only. */
const abbreviations = lookup<number>({
  PST: -8,
  PDT: -7,
  MST: -7,
  MDT: -6,
  CST: -6,
  CDT: -5,
  EST: -5,
  EDT: -4,
  WEST: 1,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  SGT: 8,
  HKT: 8,
  JST: 9,
  KST: 9,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
})

/** Names as computers write them out, which differ in summer and winter, without the `Time` behind them. */
const longNames = lookup<number>({
  'pacific standard': -8,
  'pacific daylight': -7,
  'mountain standard': -7,
  'mountain daylight': -6,
  'central standard': -6,
  'central daylight': -5,
  'eastern standard': -5,
  'eastern daylight': -4,
  'greenwich mean': 0,
  'coordinated universal': 0,
  'british summer': 1,
  'western european summer': 1,
  'central european standard': 1,
  'central european summer': 2,
  'eastern european standard': 2,
  'eastern european summer': 3,
  'india standard': 5.5,
  'singapore standard': 8,
  'japan standard': 9,
  'australian eastern standard': 10,
  'australian eastern daylight': 11,
})

/** As people of that continent say it, summer or winter. */
const spoken = lookup<string>({
  e: 'America/New_York',
  c: 'America/Chicago',
  m: 'America/Denver',
  p: 'America/Los_Angeles',
})

/** `Europe/London`, `UTC`, `Z`, `UTC+5:30`, `-0800`, `PDT`; undefined for a name that is none. */
export function zoneNamed(name: string): Zone | undefined {
  const offset = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?$/i.exec(name)
  if (offset) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0)
    return minutes > 14 * 60 ? undefined : offset[1] === '-' ? -minutes : minutes
  }
  if (/^(?:Z|UTC|GMT)$/i.test(name)) return 0
  const hours = abbreviations[name] ?? longNames[name.toLowerCase()]
  if (hours !== undefined) return hours * 60
  const letter = /^(?:US )?(?:([ECMP])T|(E)astern|(C)entral|(M)ountain|(P)acific)$/i.exec(name)
  if (letter) return spoken[(letter.slice(1).find((each) => each !== undefined) ?? '').toLowerCase()]
  // Other names without a region are as ambiguous as IST.
  return name.includes('/') && formatOf(name) ? name : undefined
}

const formats = new Map<string, Intl.DateTimeFormat | undefined>()
/** Names come from text of others: more of them are made anew each time. */
const mostFormats = 64

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (formats.has(zone)) return formats.get(zone)
  let format: Intl.DateTimeFormat | undefined
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    format = undefined
  }
  if (formats.size < mostFormats) formats.set(zone, format)
  return format
}

/** A time on the wall; `month` and `date` from 1, `ms` after midnight. A date beyond its month runs on into the next one. */
export interface WallClock {
  year: number
  month: number
  date: number
  ms: number
}

/** What a clock in that zone shows. */
export function wallClock(epochMs: number, zone: Zone): WallClock {
  if (typeof zone === 'number') {
    const at = new Date(epochMs + zone * minuteMs)
    const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate())
    return {
      year: at.getUTCFullYear(),
      month: at.getUTCMonth() + 1,
      date: at.getUTCDate(),
      ms: at.getTime() - midnight,
    }
  }
  const parts = new Map(
    (formatOf(zone)?.formatToParts(epochMs) ?? []).map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const ms = ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1000
  return {
    year: part('year'),
    month: part('month'),
    date: part('day'),
    ms: ms + (((epochMs % 1000) + 1000) % 1000),
  }
}

/**
 * The moments at which a clock in that zone shows this, earliest first: one as a rule, two where it is put back. A time
 * that is left out where it is put forward is the one that it would have been without that.
 */
export function instantsOf(wall: WallClock, zone: Zone): number[] {
  const asUtc = Date.UTC(wall.year, wall.month - 1, wall.date) + wall.ms
  const before = asUtc - offsetAt(asUtc - dayMs, zone)
  const after = asUtc - offsetAt(asUtc + dayMs, zone)
  if (before === after) return [before]
  const shown = [before, after].filter((each) => each + offsetAt(each, zone) === asUtc)
  return shown.length === 0 ? [before] : shown.sort((a, b) => a - b)
}

/** Milliseconds that the zone is ahead of UTC at a moment. */
function offsetAt(epochMs: number, zone: Zone): number {
  if (typeof zone === 'number') return zone * minuteMs
  const { year, month, date, ms } = wallClock(epochMs, zone)
  return Date.UTC(year, month - 1, date) + ms - epochMs
}
