import stringWidth from 'string-width'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const printableAscii = /^[\x20-\x7e]*$/

/** Cells that `text` takes in a terminal. `text` is sanitised and has no line breaks. */
export function textWidth(text: string): number {
  return printableAscii.test(text) ? text.length : stringWidth(text)
}

/** What a person sees as single characters. */
export function graphemes(text: string): string[] {
  if (printableAscii.test(text)) return text.split('')
  return Array.from(segmenter.segment(text), (part) => part.segment)
}

/** The longest beginning of `text` that fits into `width` cells; wide characters are never halved. */
export function takeCells(text: string, width: number): string {
  if (width <= 0) return ''
  if (printableAscii.test(text)) return text.slice(0, width)
  let used = 0
  let taken = ''
  for (const { segment } of segmenter.segment(text)) {
    const cells = stringWidth(segment)
    if (used + cells > width) break
    used += cells
    taken += segment
  }
  return taken
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

/** A line in rows that begin where it begins, for a terminal with that many columns. Words stay whole. */
export function indentedRows(line: string, columns: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? ''
  return hangingRows(indent, line.slice(indent.length), columns - 1)
}
