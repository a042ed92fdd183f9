import { sanitizeLine } from '../../terminal/sanitize.js'
import { wrapText } from '../../terminal/width.js'
import type { Pane, PaneLine } from '../../view/panes.js'
import { formatDuration } from '../format.js'
import { type Line, outputLook, paneLook, type Span, type Theme } from '../theme.js'
import { fitLine, lineWidth, spread } from './line.js'

const indent = 2

/** Where the output of a pane is drawn. */
export interface PaneArea {
  width: number
  height: number
  theme: Theme
  /** Text whose hits are lit. */
  wanted?: string | undefined
}

/** How the line of a pane is drawn. */
export interface PaneTitleLook {
  open: boolean
  /** Keys act on it. */
  focused: boolean
  follow: boolean
  /** First line that is shown, from 1, and how many there ever were, while it does not follow. */
  place?: { top: number; total: number } | undefined
  /** All agents are suspended. */
  suspended: boolean
  /** What its phase is called, where agents work for several. */
  phase?: string
  /** Epoch milliseconds. */
  now: number
}

/** The line of a pane, open or closed. */
export function paneTitle(pane: Pane, look: PaneTitleLook, width: number, theme: Theme): Line {
  const status = paneLook(pane.status === 'running' && look.suspended ? 'suspended' : pane.status, theme)
  const facts: string[] = [formatDuration((pane.endedAt ?? look.now) - pane.startedAt)]
  if (pane.attempt > 1) facts.unshift(`attempt ${pane.attempt}`)
  if (!look.follow) facts.unshift(look.place ? `line ${look.place.top} of ${look.place.total}` : 'scrolled')
  const left: Span[] = [
    { text: look.focused ? `${theme.pointer} ` : '  ', tone: 'accent', strong: true },
    { text: `${look.open ? theme.opened : theme.closed} `, tone: 'quiet' },
    ...(look.phase === undefined ? [] : [{ text: `${sanitizeLine(look.phase)} `, tone: 'info' as const }]),
    { text: sanitizeLine(pane.title), strong: look.focused || look.open },
    { text: `  ${sanitizeLine(pane.persona)}`, tone: 'quiet' },
  ]
  const right: Span[] = [
    { text: `${facts.join(` ${theme.dot} `)}  ` },
    { text: `${status.mark} ${status.word}`, tone: status.tone },
  ]
  return spread(fitLine(left, Math.max(12, width - lineWidth(right) - 1), theme), right, width, theme)
}

/** A text with the hits of a search lit. */
function litSpans(text: string, wanted: string | undefined, tone: Span['tone']): Span[] {
  if (wanted === undefined || wanted === '') return [{ text, tone }]
  const spans: Span[] = []
  const lower = text.toLowerCase()
  let at = 0
  for (let hit = lower.indexOf(wanted); hit >= 0; hit = lower.indexOf(wanted, at)) {
    if (hit > at) spans.push({ text: text.slice(at, hit), tone })
    at = hit + wanted.length
    spans.push({ text: text.slice(hit, at), tone: 'warn', strong: true })
  }
  if (at < text.length || spans.length === 0) spans.push({ text: text.slice(at), tone })
  return spans
}

function outputRows(entry: PaneLine, area: PaneArea, limit: number): Line[] {
  const { width, theme, wanted } = area
  const look = outputLook(entry.kind, theme)
  const rows = wrapText(sanitizeLine(entry.text), Math.max(4, width - indent), limit)
  return rows.map((text, index) => [
    { text: `${index === 0 ? look.mark : theme.margin} `, tone: index === 0 ? look.tone : 'quiet' },
    ...litSpans(text, wanted?.toLowerCase(), entry.kind === 'text' ? undefined : look.tone),
  ])
}

/** Number of the oldest kept line of a pane, counted over all lines it ever had. */
export function oldestLine(pane: Pane): number {
  return pane.lines.total - pane.lines.length
}

/** Above the oldest line that is kept: where those before it are. */
function earlierLine(pane: Pane): Line {
  const where = pane.logPath === undefined ? 'the log' : sanitizeLine(pane.logPath)
  return [
    { text: `  ${oldestLine(pane)} lines earlier are in the log (L shows it): ${where}`, tone: 'quiet' },
  ]
}

/** The newest lines of a pane, `height` rows at most. */
function tail(pane: Pane, area: PaneArea): Line[] {
  const { width, height } = area
  const rows: Line[] = []
  const { length } = pane.lines
  for (let index = length - 1; index >= 0 && rows.length < height; index -= 1) {
    const entry = pane.lines.slice(index, index + 1)[0]
    if (!entry) break
    // Of a single endless line only the end is broken into rows, since only that can be seen.
    const most = height * width
    const text = entry.text.length > most ? entry.text.slice(-most) : entry.text
    const wrapped = outputRows({ ...entry, text }, area, Number.POSITIVE_INFINITY)
    rows.unshift(...wrapped.slice(-(height - rows.length)))
  }
  return rows
}

/** Rows from line `top` (counted over all lines) on. */
function from(pane: Pane, top: number, area: PaneArea): Line[] {
  const { height } = area
  const oldest = oldestLine(pane)
  const rows: Line[] = top <= oldest && oldest > 0 ? [earlierLine(pane)] : []
  const first = Math.max(0, top - oldest)
  for (const entry of pane.lines.slice(first, first + height)) {
    if (rows.length >= height) break
    rows.push(...outputRows(entry, area, height))
  }
  return rows.slice(0, height)
}

/** What is visible of a pane: from line `top` on, or its end if `top` is undefined. */
export function paneRows(pane: Pane, top: number | undefined, area: PaneArea): Line[] {
  if (area.height <= 0) return []
  const rows = top === undefined ? tail(pane, area) : from(pane, top, area)
  return rows.map((row) => fitLine(row, area.width, area.theme))
}

/** The top line after scrolling by `lines`; undefined means that the end is followed again. */
export function scrolled(
  pane: Pane,
  top: number | undefined,
  lines: number,
  height: number,
): number | undefined {
  const oldest = oldestLine(pane)
  const lastTop = Math.max(oldest, pane.lines.total - height)
  const next = Math.max(oldest, (top ?? lastTop) + lines)
  return next >= lastTop && lines > 0 ? undefined : Math.min(next, lastTop)
}

/**
 * Number of the next line with `text` in any case: the newest one before `from`, or the oldest one behind it. Undefined
 * if there is none.
 */
export function findLine(pane: Pane, text: string, from: number, by: 1 | -1 = -1): number | undefined {
  const wanted = text.toLowerCase()
  const oldest = oldestLine(pane)
  const kept = pane.lines.slice(0, pane.lines.length)
  const first = by === 1 ? Math.max(0, from - oldest + 1) : Math.min(kept.length, from - oldest) - 1
  for (let index = first; index >= 0 && index < kept.length; index += by) {
    if (kept[index]?.text.toLowerCase().includes(wanted)) return oldest + index
  }
  return undefined
}
