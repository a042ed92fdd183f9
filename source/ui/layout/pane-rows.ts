import { counted } from '../../counted.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import type { Pane, PaneLine } from '../../view/panes.js'
import { type Line, outputLook, type Theme } from '../theme.js'
import { fitLine, lineWidth } from './line.js'
import { readLine } from './read-text.js'
import { lit, type StyledPart, type StyledText, styledLine, styledRows } from './styled-text.js'

/** Where the output of a pane is drawn. */
export interface PaneArea {
  width: number
  height: number
  theme: Theme
  /** Text whose hits are lit. */
  wanted?: string | undefined
  /** What was folded is shown too. */
  unfolded?: boolean | undefined
  /** Long lines are cut instead of going on in the next row. */
  unwrapped?: boolean | undefined
}

const indent = 2
/** What is folded stands below its call. */
const foldIndent = 2
/** Lines of the end of a failed call that are shown though it is folded. */
const failedTail = 3

/** What part of a line can be seen. */
export interface Sight {
  /** Of a single endless line only its end is broken into rows, since only that can be seen. */
  fromEnd: boolean
  /** Rows. */
  limit: number
  /** Nothing of the pane is above it. */
  isTop?: boolean
}

/** A line that is much longer than all there is to see is cut first. Its colours would lose their places. */
function seen(entry: PaneLine, { width, height }: PaneArea, { fromEnd }: Sight): PaneLine {
  const text = sanitizeLine(entry.text)
  const most = Math.max(1, height) * width
  const { colours: _, ...plain } = entry
  if (!fromEnd || text.length <= most) return text === entry.text ? entry : { ...plain, text }
  return { ...plain, text: text.slice(-most) }
}

/** The tone of its kind below the looks of its parts. Text has none. */
function toned({ text, parts }: StyledText, entry: PaneLine, theme: Theme): StyledText {
  if (entry.kind === 'text' || entry.as !== undefined) return { text, parts }
  const base: StyledPart = { from: 0, to: text.length, tone: outputLook(entry.kind, theme).tone }
  return { text, parts: [base, ...parts] }
}

function rowsOf(entry: PaneLine, area: PaneArea, sight: Sight): Line[] {
  const { theme, wanted, unwrapped = false } = area
  const width = Math.max(4, area.width - indent)
  const { mark, tone } = outputLook(entry.kind, theme)
  const texts = readLine(seen(entry, area, sight), unwrapped ? Number.POSITIVE_INFINITY : width, theme)
  const rows = texts.flatMap((text) => {
    const styled = lit(toned(text, entry, theme), wanted)
    return unwrapped ? [styledLine(styled)] : styledRows(styled, width, sight.limit)
  })
  return rows.map((row, index) => [
    { text: `${index === 0 ? mark : theme.margin} `, tone: index === 0 ? tone : 'quiet' },
    ...row,
  ])
}

function foldedRows(lines: readonly PaneLine[], area: PaneArea, sight: Sight): Line[] {
  const { theme } = area
  const inner = { ...area, width: area.width - foldIndent }
  return lines.flatMap((entry) =>
    rowsOf(entry, inner, sight).map((row): Line => {
      const [, ...rest] = row
      return [{ text: `${theme.margin} `, tone: 'quiet' }, { text: ' '.repeat(foldIndent) }, ...rest]
    }),
  )
}

function contains(lines: readonly PaneLine[], wanted: string | undefined): boolean {
  const small = wanted?.toLowerCase() ?? ''
  return small !== '' && lines.some(({ text }) => text.toLowerCase().includes(small))
}

/** What of the lines below a call is shown: all of them on request or where a hit is, the end of what failed, else none. */
function shownFolded(entry: PaneLine, { unfolded: all, wanted }: PaneArea): readonly PaneLine[] {
  const { folded = [], outcome } = entry
  if (all === true || contains(folded, wanted)) return folded
  return outcome === 'failed' ? folded.slice(-failedTail) : []
}

/** How a call ended, behind its title: in full, and what is left where there is less room. */
function outcomeForms(end: PaneLine, hidden: number, theme: Theme): Line[] {
  if (end.outcome === 'denied') return [[{ text: `  ${theme.failed} not permitted`, tone: 'bad' }]]
  const hiddenTexts = hidden > 0 ? [`, ${counted(hidden, 'line')} folded`, `, ${hidden} folded`, ''] : ['']
  const failed = end.outcome === 'failed'
  const said = failed ? `${theme.failed} failed` : `${theme.done} ok`
  return hiddenTexts.map((more): Line => [{ text: `  ${said}${more}`, tone: failed ? 'bad' : 'good' }])
}

/** The line after or before, where both are the beginning and the end of one call. */
function otherHalf(pane: Pane, index: number, entry: PaneLine): PaneLine | undefined {
  if (entry.call === undefined) return undefined
  const at = entry.outcome === undefined ? index + 1 : index - 1
  if (at < 0) return undefined
  const [other] = pane.lines.slice(at, at + 1)
  const isOther =
    other?.call === entry.call && (other.outcome === undefined) !== (entry.outcome === undefined)
  return isOther ? other : undefined
}

/** A call and its end in one row, if it has room for both. */
function callRows(start: PaneLine, end: PaneLine, area: PaneArea, sight: Sight): Line[] {
  const hidden = [start, end].map((half) => (half.folded?.length ?? 0) - shownFolded(half, area).length)
  const forms = outcomeForms(end, (hidden[0] ?? 0) + (hidden[1] ?? 0), area.theme)
  const rows = rowsOf(start, area, sight)
  const last = rows.pop() ?? []
  const used = lineWidth(last)
  // How it ended belongs beside the call: how much is folded gives way before a row is spent on it.
  const fitting = forms.find((form) => used + lineWidth(form) <= area.width)
  if (fitting) return [...rows, [...last, ...fitting]]
  const [whole = []] = forms
  if (area.unwrapped === true)
    return [...rows, [...fitLine(last, area.width - lineWidth(whole), area.theme), ...whole]]
  return [...rows, last, [{ text: area.theme.margin, tone: 'quiet' }, ...whole]]
}

/**
 * Rows of the kept line `index` of a pane. The end of a call that directly follows its beginning is told there, so that
 * it has only rows for what is unfolded.
 */
export function entryRows(pane: Pane, index: number, area: PaneArea, sight: Sight): Line[] {
  const [entry] = pane.lines.slice(index, index + 1)
  if (!entry) return []
  const other = otherHalf(pane, index, entry)
  const folded = foldedRows(shownFolded(entry, area), area, sight)
  if (other && entry.outcome !== undefined && sight.isTop !== true) return folded
  if (other && entry.outcome === undefined) return [...callRows(entry, other, area, sight), ...folded]
  return [...rowsOf(entry, area, sight), ...folded]
}
