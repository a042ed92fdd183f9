// Lines of a text with the places where they begin and end, and the cursor that walks along one of them.

/** In what a line stands that holds no Markdown. */
export type Within = 'fence' | 'comment' | 'html' | 'code' | 'front matter'

/** One line of a document. */
export interface ScannedLine {
  /** 1-based. */
  number: number
  /** Without line ending and without the BOM of the first line. */
  text: string
  start: number
  end: number
  /** The marks of a fence, and the line on which a comment ends, are in it too. */
  within: Within | undefined
  /** Stands in a block quote. */
  quoted: boolean
}

/** Whether a line can hold markup at all: not in a fence, a comment, HTML, indented code or front matter. */
export function isMarkup(line: ScannedLine): boolean {
  return line.within === undefined
}

/** Splits at `\n` and `\r\n`; a last line without an ending counts, an empty one behind the last ending does not. */
export function scannedLines(text: string): ScannedLine[] {
  const lines: ScannedLine[] = []
  let start = text.startsWith('\uFEFF') ? 1 : 0
  while (start < text.length) {
    const feed = text.indexOf('\n', start)
    const stop = feed === -1 ? text.length : feed
    const end = feed > start && text[feed - 1] === '\r' ? stop - 1 : stop
    lines.push({
      number: lines.length + 1,
      text: start === end ? '' : text.slice(start, end),
      start,
      end,
      within: undefined,
      quoted: false,
    })
    start = stop + 1
  }
  return lines
}

/** A place in a line. Columns count a tab up to the next multiple of four, as Markdown does. */
export interface Cursor {
  text: string
  at: number
  column: number
  /** The first character from `at` on that is no blank, and its column. */
  nonspace: number
  nonspaceColumn: number
}

export function cursorAt(text: string): Cursor {
  return lookAhead({ text, at: 0, column: 0, nonspace: 0, nonspaceColumn: 0 })
}

/** Columns of blanks between the cursor and the next character. */
export function indentOf(cursor: Cursor): number {
  return cursor.nonspaceColumn - cursor.column
}

/** Nothing but blanks is left. */
export function isBlank(cursor: Cursor): boolean {
  return cursor.nonspace >= cursor.text.length
}

/** Moves over blanks by some columns; a tab may be used up in part. */
export function advanceColumns(cursor: Cursor, columns: number): void {
  let left = columns
  while (left > 0 && cursor.at < cursor.nonspace) {
    const width = cursor.text[cursor.at] === '\t' ? 4 - (cursor.column % 4) : 1
    if (width > left) {
      cursor.column += left
      return
    }
    cursor.column += width
    cursor.at += 1
    left -= width
  }
}

/** Moves over all blanks and `count` characters behind them. */
export function advanceMarker(cursor: Cursor, count: number): void {
  cursor.at = cursor.nonspace + count
  cursor.column = cursor.nonspaceColumn + count
  lookAhead(cursor)
}

function lookAhead(cursor: Cursor): Cursor {
  let at = cursor.at
  let column = cursor.column
  for (; at < cursor.text.length; at += 1) {
    const character = cursor.text[at]
    if (character === ' ') column += 1
    else if (character === '\t') column += 4 - (column % 4)
    else break
  }
  cursor.nonspace = at
  cursor.nonspaceColumn = column
  return cursor
}

/** How often one character stands from a place on. */
export function runLength(text: string, from: number, character: string): number {
  let at = from
  while (text[at] === character) at += 1
  return at - from
}

/** The first place from `from` on that holds no space or tab. */
export function skipBlanks(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at += 1
  return at
}

/** The place behind the last character that is no space or tab, not before `from`. */
export function trimmedEnd(text: string, from = 0, to = text.length): number {
  let at = to
  while (at > from && (text[at - 1] === ' ' || text[at - 1] === '\t')) at -= 1
  return at
}
