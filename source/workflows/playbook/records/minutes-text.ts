/** A time in minutes as it is told: `45s`, `4m 32s`. */
export function minutesText(minutes: number): string {
  return millisecondsText(minutes * 60_000)
}

/** The same, of milliseconds. */
export function millisecondsText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`
}
