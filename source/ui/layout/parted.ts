import type { Line } from '../theme.js'
import type { PartedRows } from './diff-lines.js'

/** Parts under each other, behind what stands before them, with the rows at which they begin. */
export function parted(head: readonly Line[], sections: readonly (readonly Line[])[]): PartedRows {
  const rows: Line[] = [...head]
  const parts: number[] = []
  for (const section of sections) {
    parts.push(rows.length)
    rows.push(...section)
  }
  return { rows, parts }
}
