import { durationText } from '../durations.js'

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

/** `12m 0s at work, 3m 20s waiting for you, 2h 5m away`: what is less than a second is left out, work never. */
export function timesText({ workMs, waitingMs, awayMs }: Times): string {
  return [
    `${durationText(workMs)} at work`,
    ...(waitingMs >= 1000 ? [`${durationText(waitingMs)} waiting for you`] : []),
    ...(awayMs >= 1000 ? [`${durationText(awayMs)} away`] : []),
  ].join(', ')
}
