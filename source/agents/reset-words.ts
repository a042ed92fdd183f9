import type { Zone } from './zone.js'

// What the readers of a time of reset share (./reset-time.ts).

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** What is left of a text while it is read from its beginning. */
export interface Rest {
  text: string
}

/** Where and when a text is read. */
export interface Here {
  nowMs: number
  zone: Zone
}

/** Takes what an anchored pattern matches off the beginning. */
export function take(rest: Rest, pattern: RegExp): RegExpExecArray | undefined {
  const found = pattern.exec(rest.text)
  if (!found) return undefined
  rest.text = rest.text.slice(found[0].length)
  return found
}
