import { sanitizeLine } from '../../terminal/sanitize.js'
import { wrapText } from '../../terminal/width.js'
import type { Line } from '../theme.js'
import type { RowSource } from './row-source.js'
import { lit, styledLine } from './styled-text.js'

/** The lines of a log as rows. */
export interface LogRows {
  rows: RowSource
  /** First row of each line. */
  starts: number[]
}

/** A row: characters `from` (inclusive) to `to` (exclusive) of a line, or another text where a character was replaced. */
interface Row {
  line: string
  from: number
  to: number
  instead?: string
}

/**
 * Every line of a part of a log as it lies on disk. Hits of a search are lit only in rows that somebody looks at, since a
 * part can hold very many.
 */
export function logRows(lines: readonly string[], width: number, wanted: string | undefined): LogRows {
  const rows: Row[] = []
  const starts: number[] = []
  for (const each of lines) {
    const line = sanitizeLine(each)
    starts.push(rows.length)
    let at = 0
    for (const text of wrapText(line, width)) {
      // Between two rows only spaces are left out; a character that no row can hold is shown as another one.
      const found = line.indexOf(text, at)
      if (found < 0) rows.push({ line, from: at, to: at, instead: text })
      else {
        at = found + text.length
        rows.push({ line, from: found, to: at })
      }
    }
  }
  const slice = (from: number, to: number) => rows.slice(from, to).map((row) => drawn(row, wanted))
  return { rows: { length: rows.length, slice }, starts }
}

/** A hit may begin in the row before, or go on in the next one. */
function drawn({ line, from, to, instead }: Row, wanted = ''): Line {
  if (instead !== undefined) return [{ text: instead }]
  const before = Math.max(0, from - wanted.length)
  const { text, parts } = lit({ text: line.slice(before, to + wanted.length), parts: [] }, wanted)
  const moved = parts.flatMap((part) => {
    const begin = Math.max(0, part.from - (from - before))
    const end = Math.min(to - from, part.to - (from - before))
    return begin < end ? [{ ...part, from: begin, to: end }] : []
  })
  return styledLine({ text: text.slice(from - before, to - before), parts: moved })
}
