import { counted } from '../counted.js'

/** How long ago something was, in words; empty for a time that is none. `now`: epoch milliseconds. */
export function agoText(iso: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000)
  if (!Number.isFinite(minutes)) return ''
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`
  return `${counted(Math.floor(minutes / (24 * 60)), 'day')} ago`
}
