/** Where the time of a session went, in milliseconds (docs/durability.md, "Times"). */
export interface Times {
  /** Agents worked, commands ran, records were written. */
  workMs: number
  /** Everything stood still for a person's answer. */
  waitingMs: number
  /** No process had the session. */
  awayMs: number
}

export const noTimes: Times = { workMs: 0, waitingMs: 0, awayMs: 0 }

/** What went by between two looks. */
export function timesSince(then: Times, now: Times): Times {
  return {
    workMs: Math.max(0, now.workMs - then.workMs),
    waitingMs: Math.max(0, now.waitingMs - then.waitingMs),
    awayMs: Math.max(0, now.awayMs - then.awayMs),
  }
}

/** `12 min at work, 3 min 20 s waiting for you, 2 h 5 min away`: what is less than a second is left out, work never. */
export function timesText({ workMs, waitingMs, awayMs }: Times): string {
  return [
    `${passedText(workMs)} at work`,
    ...(waitingMs >= 1000 ? [`${passedText(waitingMs)} waiting for you`] : []),
    ...(awayMs >= 1000 ? [`${passedText(awayMs)} away`] : []),
  ].join(', ')
}

/** From so many minutes on nobody asks for seconds. */
const toTheSecond = 10

/** A time that has passed, in whole units that are over, as clocks tell it: `40 s`, `1 min 6 s`, `12 min`, `2 h 5 min`. */
function passedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return `${seconds} s`
  const rest = minutes < toTheSecond && seconds % 60 > 0 ? ` ${seconds % 60} s` : ''
  return minutes < 60 ? `${minutes} min${rest}` : elapsedText(minutes * 60_000)
}

/** About how long, rounded: `40 s`, `12 min`, `2 h 5 min`, `3 d 4 h`. */
export function elapsedText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return `${Math.max(0, Math.round(ms / 1000))} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}
