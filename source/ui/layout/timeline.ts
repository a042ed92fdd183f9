import type { RunSnapshot, TimelineEntry } from '../../run/view.js'
import { sanitizeLine, sanitizeText } from '../../terminal/sanitize.js'
import { wrapText } from '../../terminal/width.js'
import { formatTime } from '../format.js'
import type { Line, Theme, Tone } from '../theme.js'
import { fitLine, line } from './line.js'

const tones: Record<TimelineEntry['kind'], Tone | undefined> = {
  state: 'info',
  agent: undefined,
  gate: 'accent',
  commit: 'good',
  note: 'quiet',
  warning: 'warn',
}

const kindWidth = 'warning'.length

function entryLines(entry: TimelineEntry, width: number): Line[] {
  const head = `${formatTime(entry.at)} ${entry.kind.padEnd(kindWidth)} `
  const rows = wrapText(sanitizeLine(entry.text), Math.max(8, width - head.length))
  return rows.map((text, index) => [
    { text: index === 0 ? head : ' '.repeat(head.length), tone: tones[entry.kind] },
    { text },
  ])
}

function wrapped(texts: readonly string[], width: number, tone?: Tone): Line[] {
  const lines = texts.flatMap((text) => sanitizeText(text).split('\n'))
  return lines.flatMap((text) => wrapText(text, width).map((row) => line(row, tone)))
}

/** Everything that was told on this run, oldest first: the recap, the events, the reports. */
export function timelineLines(snapshot: RunSnapshot, width: number, theme: Theme): Line[] {
  const recap =
    snapshot.recap.length === 0
      ? []
      : [line('While you were away', undefined, true), ...wrapped(snapshot.recap, width)]
  const reports =
    snapshot.reports.length === 0
      ? []
      : [line('Reports', undefined, true), ...wrapped(snapshot.reports, width)]
  const events = snapshot.timeline.flatMap((entry) => entryLines(entry, width))
  return [...recap, ...events, ...reports].map((row) => fitLine(row, width, theme))
}

/** The newest rows of a list of texts, `rows` at most. */
export function lastTexts(
  texts: readonly string[],
  width: number,
  rows: number,
  theme: Theme,
  tone?: Tone,
): Line[] {
  if (rows <= 0) return []
  const lines = wrapped(texts.slice(-rows), width, tone)
  return lines.slice(-rows).map((row) => fitLine(row, width, theme))
}

/** The first text and the newest of the others, `rows` at most. */
export function recapTexts(texts: readonly string[], width: number, rows: number, theme: Theme): Line[] {
  const [first, ...others] = texts
  if (rows <= 0 || first === undefined) return []
  const head = wrapped([first], width)
    .slice(0, rows)
    .map((row) => fitLine(row, width, theme))
  return [...head, ...lastTexts(others, width, rows - head.length, theme)]
}
