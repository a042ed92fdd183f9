// How long something took or takes, told in one way everywhere: on the screen, in lines, records and messages. Written
// apart, `12 min` here and `12m05s` there read as two different clocks.

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Two units: how many of the larger one there are, and of the smaller one what is left. */
function two(ms: number, [large, of]: readonly [string, number], [small, per]: readonly [string, number]) {
  const rest = Math.floor((ms % of) / per)
  return { whole: `${Math.floor(ms / of)}${large}`, rest: `${rest}${small}`, isWhole: rest === 0 }
}

function unitsOf(ms: number) {
  if (ms < hour) return two(ms, ['m', minute], ['s', second])
  return ms < day ? two(ms, ['h', hour], ['m', minute]) : two(ms, ['d', day], ['h', hour])
}

/** A time that has passed, as a clock tells it, in whole units that are over: `45s`, `12m 5s`, `3h 4m`, `2d 3h`. */
export function durationText(milliseconds: number): string {
  const ms = Math.max(0, milliseconds) || 0
  if (ms < minute) return `${Math.floor(ms / second)}s`
  const { whole, rest } = unitsOf(ms)
  return `${whole} ${rest}`
}

/** The same with tenths of a second below a minute, of what is seldom longer: `0.4s`. */
export function exactText(milliseconds: number): string {
  const tenths = Math.round(milliseconds / 100)
  return tenths < 600 ? `${(tenths / 10).toFixed(1)}s` : durationText(tenths * 100)
}

/** About how long: rounded to seconds, from a minute on to minutes, without what is nothing: `45s`, `12m`, `2h`, `2h 5m`. */
export function aboutText(milliseconds: number): string {
  const ms = Math.max(0, milliseconds) || 0
  const seconds = Math.round(ms / second)
  if (seconds < 60) return `${seconds}s`
  if (ms < hour - minute / 2) return `${Math.max(1, Math.round(ms / minute))}m`
  const { whole, rest, isWhole } = unitsOf(Math.round(ms / minute) * minute)
  return isWhole ? whole : `${whole} ${rest}`
}

/** How old something is, in whole minutes that are over: `12m`, `3h 4m`, `2d 3h`; undefined below one minute. */
export function ageText(milliseconds: number): string | undefined {
  if (!(milliseconds >= minute)) return undefined
  return aboutText(Math.floor(milliseconds / minute) * minute)
}

/** How long ago something was, in its largest unit; empty for a time that is none. `now`: epoch milliseconds. */
export function agoText(iso: string, now: number): string {
  const age = now - Date.parse(iso)
  if (!Number.isFinite(age)) return ''
  const text = ageText(age)
  return text === undefined ? 'just now' : `${text.split(' ')[0]} ago`
}
