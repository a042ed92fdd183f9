import { isMarkup, type ScannedLine } from './fences.js'

/** One body row of a pipe table. `index` is the 0-based place of its line in the lines that were given. */
export interface TableRow {
  cells: string[]
  index: number
}

const delimiter = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

/** Cells of a row; `\|` is a pipe in a cell, not a border. */
export function cellsOf(text: string): string[] {
  const inner = text
    .trim()
    .replace(/^\|/, '')
    .replace(/(^|[^\\])\|$/, '$1')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim())
}

/** The line under a table head, such as `| --- | :-: |`. */
export function isDelimiter(text: string): boolean {
  return text.includes('|') && delimiter.test(text)
}

/** The body rows of every pipe table in some lines, one list per table. */
export function tableRows(lines: ScannedLine[]): TableRow[][] {
  const tables: TableRow[][] = []
  let rows: TableRow[] | undefined
  lines.forEach((line, index) => {
    const inTable = isMarkup(line) && line.text.includes('|')
    if (!inTable) rows = undefined
    else if (rows !== undefined) rows.push({ cells: cellsOf(line.text), index })
    else if (isDelimiter(line.text) && lines[index - 1]?.text.includes('|')) {
      rows = []
      tables.push(rows)
    }
  })
  return tables
}
