import { counted } from '../../counted.js'
import { durationText } from '../../durations.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { wrapText } from '../../terminal/width.js'
import { type Pane, unfolded } from '../../view/panes.js'
import type { Usage } from '../../view/usage.js'
import { formatCost, formatTokens } from '../format.js'
import { keyOf } from '../keymap.js'
import { type Line, paneLook, type Span, type Theme } from '../theme.js'
import { fitLine, line, lineWidth, spread } from './line.js'
import { entryRows, type PaneArea } from './pane-rows.js'

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
  /** What its phase is called, where agents work for several and no heading says it. */
  phase?: string | undefined
  /** Epoch milliseconds. */
  now: number
}

/** Nothing of an agent that reports nothing: that is not known, and not none. */
export function tokensOf({ inputTokens, outputTokens, usd }: Usage): string | undefined {
  if (inputTokens + outputTokens === 0 && usd === undefined) return undefined
  const tokens = `${formatTokens(inputTokens + outputTokens)} tokens`
  return usd === undefined ? tokens : `${tokens} ${formatCost(usd)}`
}

/** The line of a pane, open or closed. */
export function paneTitle(pane: Pane, look: PaneTitleLook, width: number, theme: Theme): Line {
  const status = paneLook(pane.status === 'running' && look.suspended ? 'suspended' : pane.status, theme)
  const facts: string[] = [durationText((pane.endedAt ?? look.now) - pane.startedAt)]
  // The order counts its own attempts: this is how often its process was started.
  if (pane.attempt > 1) facts.unshift(`start ${pane.attempt}`)
  if (!look.follow) facts.unshift(look.place ? `line ${look.place.top} of ${look.place.total}` : 'scrolled')
  const left: Span[] = [
    { text: look.focused ? `${theme.pointer} ` : '  ', tone: 'accent', strong: true },
    { text: `${look.open ? theme.opened : theme.closed} `, tone: 'quiet' },
    ...(look.phase === undefined ? [] : [{ text: `${sanitizeLine(look.phase)} `, tone: 'info' as const }]),
    { text: sanitizeLine(pane.title), strong: look.focused || look.open },
  ]
  const persona: Span = { text: `  ${sanitizeLine(pane.persona)}`, tone: 'quiet' }
  const rightOf = (shown: readonly string[]): Span[] => [
    { text: `${shown.join(` ${theme.dot} `)}  ` },
    { text: `${status.mark} ${status.word}`, tone: status.tone },
  ]
  // What its agent has used stands there where the title is whole beside it.
  const tokens = pane.usage && tokensOf(pane.usage)
  const used = rightOf([...facts.slice(0, -1), ...(tokens ? [tokens] : []), ...facts.slice(-1)])
  const right = lineWidth([...left, ...used]) < width ? used : rightOf(facts)
  const room = Math.max(12, width - lineWidth(right) - 1)
  // Half the name of a role says nothing that the title does not say.
  const whole = lineWidth([...left, persona]) <= room ? [...left, persona] : left
  return spread(fitLine(whole, room, theme), right, width, theme)
}

/** Number of the oldest kept line of a pane, counted over all lines it ever had. */
export function oldestLine(pane: Pane): number {
  return pane.lines.total - pane.lines.length
}

/** Something in front of the oldest kept line is in the log alone. */
export function hasEarlier(pane: Pane): boolean {
  return pane.isTail === true || oldestLine(pane) > 0
}

/** Above the oldest line that is kept: where those before it are. */
function earlierRows(pane: Pane, { width }: PaneArea): Line[] {
  const where = pane.logPath === undefined ? '' : `: ${sanitizeLine(pane.logPath)}`
  // How many an earlier process has shown nobody knows.
  const count = pane.isTail === true ? 'Earlier lines' : `${counted(oldestLine(pane), 'line')} earlier`
  const text = `${count} are in the log (${keyOf('top')} or ${keyOf('log')})${where}`
  return wrapText(text, Math.max(1, width - 2)).map((row) => line(`  ${row}`, 'quiet'))
}

/** The newest lines of a pane, `height` rows at most. */
function tail(pane: Pane, area: PaneArea): Line[] {
  const { height } = area
  const rows: Line[] = []
  const { length } = pane.lines
  const sight = { fromEnd: true, limit: Number.POSITIVE_INFINITY }
  for (let index = length - 1; index >= 0 && rows.length < height; index -= 1) {
    rows.unshift(...entryRows(pane, index, area, sight).slice(-(height - rows.length)))
  }
  return rows
}

/** Rows from line `top` (counted over all lines) on; where they end before the area does, those before it too. */
function from(pane: Pane, top: number, area: PaneArea): Line[] {
  const { height } = area
  const oldest = oldestLine(pane)
  const rows: Line[] = top <= oldest && hasEarlier(pane) ? earlierRows(pane, area) : []
  const first = Math.max(0, top - oldest)
  for (let index = first; index < pane.lines.length && rows.length < height; index += 1)
    rows.push(...entryRows(pane, index, area, { fromEnd: false, limit: height, isTop: index === first }))
  // A hit in the last lines would stand alone above blank rows, without what led to it.
  return rows.length < height && first > 0 ? tail(pane, area) : rows.slice(0, height)
}

/** What is visible of a pane: from line `top` on, or its end if `top` is undefined. */
export function paneRows(pane: Pane, top: number | undefined, area: PaneArea): Line[] {
  if (area.height <= 0) return []
  const rows = top === undefined ? tail(pane, area) : from(pane, top, area)
  return rows.map((row) => fitLine(row, area.width, area.theme))
}

/** The same without marks, colours and folds, for copying. */
export function rawRows(pane: Pane, top: number | undefined, { width, height }: PaneArea): Line[] {
  const oldest = oldestLine(pane)
  const first = Math.max(0, top === undefined ? pane.lines.length - height : top - oldest)
  const rowsFrom = (index: number) =>
    pane.lines
      .slice(index, index + height)
      .flatMap(unfolded)
      .flatMap(({ text }) => wrapText(sanitizeLine(text), width))
      .map((text) => line(text))
  const rows = rowsFrom(first)
  if (top !== undefined && (rows.length >= height || first === 0)) return rows.slice(0, height)
  return rowsFrom(Math.max(0, pane.lines.length - height)).slice(-height)
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
  // Below the last top the same rows are shown as from there.
  const next = Math.max(oldest, Math.min(top ?? lastTop, lastTop) + lines)
  return next >= lastTop && lines > 0 ? undefined : Math.min(next, lastTop)
}

/**
 * Number of the next line with `text` in any case, also in what is folded below it: the newest one before `from`, or the
 * oldest one behind it. Undefined if there is none among the lines that are kept.
 */
export function findLine(pane: Pane, text: string, from: number, by: 1 | -1 = -1): number | undefined {
  const wanted = text.toLowerCase()
  const oldest = oldestLine(pane)
  const kept = pane.lines.slice(0, pane.lines.length)
  const first = by === 1 ? Math.max(0, from - oldest + 1) : Math.min(kept.length, from - oldest) - 1
  for (let index = first; index >= 0 && index < kept.length; index += by) {
    const entry = kept[index]
    if (entry && unfolded(entry).some((each) => each.text.toLowerCase().includes(wanted)))
      return oldest + index
  }
  return undefined
}
