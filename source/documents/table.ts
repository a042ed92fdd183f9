import { isMarkup, type ScannedLine } from './fences.js'

/** One body row of a pipe table. `index` is the 0-based place of its line in the lines that were given. */
export interface TableRow {
  cells: string[]
  index: number
}

/** A pipe table: the cells of its head, and its body rows. */
export interface Table {
  head: string[]
  rows: TableRow[]
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

/** Every pipe table in some lines. */
export function tablesIn(lines: ScannedLine[]): Table[] {
  const tables: Table[] = []
  let table: Table | undefined
  lines.forEach((line, index) => {
    const inTable = isMarkup(line) && line.text.includes('|')
    const above = lines[index - 1]?.text ?? ''
    if (!inTable) table = undefined
    else if (table !== undefined) table.rows.push({ cells: cellsOf(line.text), index })
    else if (isDelimiter(line.text) && above.includes('|')) {
      table = { head: cellsOf(above), rows: [] }
      tables.push(table)
    }
  })
  return tables
}
