import { skipBlanks, trimmedEnd } from './markdown-lines.js'

// Cells of pipe tables.

/** One cell with its own text, trimmed; offsets count characters of the whole text. */
export interface TableCell {
  text: string
  start: number
  end: number
}

/** Splits a row at its borders; `\|` is a pipe in a cell. `offset` is where the text stands in its document. */
export function cellsOf(text: string, offset = 0): TableCell[] {
  const cells: TableCell[] = []
  const stop = trimmedEnd(text)
  let start = skipBlanks(text, 0)
  if (text[start] === '|') start += 1
  let at = start
  const push = (end: number) => {
    const from = Math.min(skipBlanks(text, start), end)
    const to = trimmedEnd(text, from, end)
    cells.push({ text: text.slice(from, to), start: offset + from, end: offset + to })
  }
  for (; at < stop; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '|') {
      push(at)
      start = at + 1
    }
  }
  if (start < stop || cells.length === 0) push(Math.max(stop, start))
  return cells
}

/** The number of cells that the line under a table head, such as `| --- | :-: |`, has; 0 for any other line. */
export function delimiterCells(text: string): number {
  if (!/^[\s|:-]*$/.test(text)) return 0
  const cells = cellsOf(text)
  return cells.every((cell) => /^:?-+:?$/.test(cell.text)) && (text.includes('|') || text.includes(':'))
    ? cells.length
    : 0
}
