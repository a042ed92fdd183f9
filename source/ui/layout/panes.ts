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
}

/** How the line of a pane is drawn. */
export interface PaneTitleLook {
  open: boolean
  /** Keys act on it. */
  focused: boolean
  follow: boolean
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
  if (!look.follow) facts.unshift('scrolled')
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

function outputRows(entry: PaneLine, width: number, limit: number, theme: Theme): Line[] {
  const look = outputLook(entry.kind, theme)
  const rows = wrapText(sanitizeLine(entry.text), Math.max(4, width - indent), limit)
  return rows.map((text, index) => [
    { text: `${index === 0 ? look.mark : theme.margin} `, tone: index === 0 ? look.tone : 'quiet' },
    { text, tone: entry.kind === 'text' ? undefined : look.tone },
  ])
}

/** Number of the oldest kept line of a pane, counted over all lines it ever had. */
export function oldestLine(pane: Pane): number {
  return pane.lines.total - pane.lines.length
}

/** The newest lines of a pane, `height` rows at most. */
function tail(pane: Pane, { width, height, theme }: PaneArea): Line[] {
  const rows: Line[] = []
  const { length } = pane.lines
  for (let index = length - 1; index >= 0 && rows.length < height; index -= 1) {
    const entry = pane.lines.slice(index, index + 1)[0]
    if (!entry) break
    // Of a single endless line only the end is broken into rows, since only that can be seen.
    const most = height * width
    const text = entry.text.length > most ? entry.text.slice(-most) : entry.text
    const wrapped = outputRows({ ...entry, text }, width, Number.POSITIVE_INFINITY, theme)
    rows.unshift(...wrapped.slice(-(height - rows.length)))
  }
  return rows
}

/** Rows from line `top` (counted over all lines) on. */
function from(pane: Pane, top: number, { width, height, theme }: PaneArea): Line[] {
  const rows: Line[] = []
  const first = Math.max(0, top - oldestLine(pane))
  for (const entry of pane.lines.slice(first, first + height)) {
    if (rows.length >= height) break
    rows.push(...outputRows(entry, width, height, theme))
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

/** Number of the newest line before `before` that holds `text` in any case; undefined if there is none. */
export function findLine(pane: Pane, text: string, before: number): number | undefined {
  const wanted = text.toLowerCase()
  const oldest = oldestLine(pane)
  const kept = pane.lines.slice(0, pane.lines.length)
  for (let index = Math.min(kept.length, before - oldest) - 1; index >= 0; index -= 1) {
    if (kept[index]?.text.toLowerCase().includes(wanted)) return oldest + index
  }
  return undefined
}
