import { sanitizeLine, sanitizeText } from '../../terminal/sanitize.js'
import { cutText, wrapText } from '../../terminal/width.js'
import type { RunSnapshot, TimelineEntry } from '../../view/view.js'
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

function wrapped(texts: readonly string[], width: number): Line[] {
  const lines = texts.flatMap((text) => sanitizeText(text).split('\n'))
  return lines.flatMap((text) => wrapText(text, width).map((row) => line(row)))
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

/** Indented lines belong to the text before them, whose beginning says what they are about. */
function grouped(lines: readonly string[]): string[] {
  const texts: string[] = []
  for (const text of lines) {
    const before = texts.at(-1)
    if (before !== undefined && /^\s/.test(text)) texts[texts.length - 1] = `${before}\n${text}`
    else texts.push(text)
  }
  return texts
}

/** The newest texts that have room, `rows` at most; of one that is too long its beginning, which says what it is about. */
export function lastTexts(lines: readonly string[], width: number, rows: number, theme: Theme): Line[] {
  const texts = grouped(lines)
  const newest = texts.at(-1)
  if (rows <= 0 || newest === undefined) return []
  let shown = cutRows(newest, width, rows, theme)
  for (const text of texts.slice(0, -1).reverse()) {
    const before = wrapped([text], width)
    if (before.length + shown.length > rows) break
    shown = [...before, ...shown]
  }
  return shown.map((row) => fitLine(row, width, theme))
}

/** One text in `rows` rows at most; what does not fit is left out at its end. */
function cutRows(text: string, width: number, rows: number, theme: Theme): Line[] {
  const all = sanitizeText(text)
    .split('\n')
    .flatMap((part) => wrapText(part, width).map((row, index) => ({ row, begins: index === 0 })))
  if (all.length <= rows) return all.map(({ row }) => line(row))
  const kept = all.slice(0, rows - 1).map(({ row }) => row)
  // The end in one row, cut only where it has no room.
  const last = all.slice(rows - 1).reduce((said, { row, begins }) => {
    const parting = begins && !/[.:;,]$/.test(said) ? '; ' : ' '
    return said === '' ? row : `${said}${parting}${row.trim()}`
  }, '')
  return [...kept, cutText(last, width, theme.ellipsis)].map((row) => line(row))
}

/** Rows that a text gets when not all texts have room. */
const mostRows = 2

/** The first text and the newest of the others, `rows` at most; each shows its beginning. */
export function recapTexts(texts: readonly string[], width: number, rows: number, theme: Theme): Line[] {
  const [first, ...others] = texts
  if (rows <= 0 || first === undefined) return []
  const whole = wrapped(texts, width)
  if (whole.length <= rows) return whole.map((row) => fitLine(row, width, theme))
  const headRows = others.length === 0 ? rows : rows < 2 * mostRows ? 1 : mostRows
  const head = cutRows(first, width, headRows, theme)
  let shown: Line[] = []
  for (const text of others.toReversed()) {
    const room = rows - head.length - shown.length
    if (room <= 0) break
    shown = [...cutRows(text, width, Math.min(mostRows, room), theme), ...shown]
  }
  return [...head, ...shown]
}
