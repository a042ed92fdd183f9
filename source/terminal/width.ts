import { lookedWidth } from './looked-width.js'

let segmenter: Intl.Segmenter | undefined

/** What divides text into characters; made when the first text needs it (30 ms, measured). */
function segmentsOf(text: string) {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** Latin letters and common Chinese, Japanese and Korean ones, each a grapheme of its own; from `firstWide` on of two cells. */
const simple =
  /^[\x20-\x7e\u00c0-\u024f\u3001-\u3029\u3041-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]*$/
const firstWide = 0x3000
const printableAscii = /^[\x20-\x7e]*$/

/** Cells of graphemes that were seen, since finding them out is what costs; forgotten when there are too many. */
const cellsKnown = new Map<string, number>()
const mostKnown = 4096

function cellsOf(grapheme: string): number {
  const known = cellsKnown.get(grapheme)
  if (known !== undefined) return known
  const cells = lookedWidth(grapheme)
  if (cellsKnown.size >= mostKnown) cellsKnown.clear()
  cellsKnown.set(grapheme, cells)
  return cells
}

/** Cells that `text` takes in a terminal. `text` is sanitised and has no line breaks. */
export function textWidth(text: string): number {
  return printableAscii.test(text) ? text.length : lookedWidth(text)
}

/** What a person sees as single characters. */
export function graphemes(text: string): string[] {
  if (printableAscii.test(text)) return text.split('')
  return Array.from(segmentsOf(text), (part) => part.segment)
}

/** Characters that so many cells hardly ever need, and that a single grapheme hardly ever has. */
const charactersOf = (width: number) => 8 * width + graphemeLength
const graphemeLength = 64

/**
 * The longest beginning of `text` that fits into `width` cells; wide characters are never halved. Of a long text only
 * the beginning is looked at, so that breaking it into rows takes linear time.
 */
export function takeCells(text: string, width: number): string {
  if (width <= 0) return ''
  const most = charactersOf(width)
  if (text.length <= most) return takeWhole(text, width)
  const taken = takeWhole(text.slice(0, most), width)
  // What ends near the cut may go on behind it.
  return taken.length < most - graphemeLength ? taken : takeWhole(text, width)
}

function takeWhole(text: string, width: number): string {
  if (printableAscii.test(text)) return text.slice(0, width)
  if (simple.test(text)) return takeSimple(text, width)
  let used = 0
  let taken = ''
  for (const { segment } of segmentsOf(text)) {
    const cells = cellsOf(segment)
    if (used + cells > width) break
    used += cells
    taken += segment
  }
  return taken
}

function takeSimple(text: string, width: number): string {
  let used = 0
  for (let at = 0; at < text.length; at += 1) {
    used += text.charCodeAt(at) < firstWide ? 1 : 2
    if (used > width) return text.slice(0, at)
  }
  return text
}

/** `text` if it fits, else its beginning and `mark`. */
export function cutText(text: string, width: number, mark = '…'): string {
  if (width <= 0) return ''
  if (textWidth(text) <= width) return text
  const room = width - textWidth(mark)
  return room <= 0 ? takeCells(text, width) : takeCells(text, room) + mark
}

/** `text` cut or filled with spaces to exactly `width` cells. */
export function padText(text: string, width: number, mark = '…'): string {
  const fitting = cutText(text, width, mark)
  return fitting + ' '.repeat(Math.max(0, width - textWidth(fitting)))
}

/**
 * Breaks one line into rows of at most `width` cells, at spaces where it can. Stops after `limit` rows. The indent of the
 * line is kept, an empty line is one empty row.
 */
export function wrapText(text: string, width: number, limit = Number.POSITIVE_INFINITY): string[] {
  if (width <= 0) return ['']
  const rows: string[] = []
  let rest = text
  while (rows.length < limit) {
    const row = takeCells(rest, width)
    if (row.length === rest.length) {
      rows.push(rest)
      return rows
    }
    if (row === '') {
      // A character that is wider than the column cannot be shown.
      rest = `?${graphemes(rest).slice(1).join('')}`
      continue
    }
    const space = rest[row.length] === ' ' ? row.length : row.lastIndexOf(' ')
    const end = space > 0 && row.slice(0, space).trim() !== '' ? space : row.length
    rows.push(rest.slice(0, end).trimEnd())
    rest = end === row.length && space !== end ? rest.slice(end) : rest.slice(end).trimStart()
    if (rest === '') return rows
  }
  return rows
}

/** `head` and behind it `text`, in rows of at most `width` cells; later rows begin below the text. Words stay whole. */
export function hangingRows(head: string, text: string, width: number): string[] {
  const indent = textWidth(head)
  const room = width - indent
  if (room < 16) return wrapText(`${head}${text}`.trimEnd(), Math.max(1, width))
  return wrapText(text, room).map((row, index) =>
    `${index === 0 ? head : ' '.repeat(indent)}${row}`.trimEnd(),
  )
}

/** A line in rows of at most `width` cells that all begin where it begins. */
export function indentedWithin(text: string, width: number): string[] {
  const indent = /^ */.exec(text)?.[0] ?? ''
  return indent === '' ? wrapText(text, width) : hangingRows(indent, text.slice(indent.length), width)
}

/** Stands for a space at which no row is broken. */
const glue = '\u00a0'

/** A line in rows that begin where it begins, for a terminal with that many columns. Words stay whole. */
export function indentedRows(line: string, columns: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? ''
  const room = columns - 1 - indent.length
  // A command between backquotes is copied as one piece, and stays in one row where it has room.
  const whole = line.slice(indent.length).replace(/`[^`]*`/g, (code) => {
    return textWidth(code) <= room ? code.replaceAll(' ', glue) : code
  })
  return hangingRows(indent, whole, columns - 1).map((row) => row.replaceAll(glue, ' '))
}

/** What stands before a command that a person copies from the terminal. */
export const goOnWith = 'Go on with: '

/** A line in rows for the shell's part of a terminal; a command stays whole, as a break in it would be copied too. */
export function printedRows(line: string, columns: number): string[] {
  return line.startsWith(goOnWith) ? [line] : indentedRows(line, columns)
}
