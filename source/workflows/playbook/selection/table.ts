import { durationText } from '../../../durations.js'
import type { SelectablePhase } from './select.js'

/** One phase with how long it took, in minutes. */
export interface StatusRow extends SelectablePhase {
  minutes: number | null
}

/** Phase, status, score and duration, line by line. */
export function statusTable(rows: readonly StatusRow[]): string[] {
  return tableLines([
    ['Phase', 'Status', 'Score', 'Duration'],
    ...rows.map((row) => [
      ...phaseCells(row),
      row.minutes === null ? '-' : durationText(row.minutes * 60_000),
    ]),
  ])
}

/** Where a phase stands. */
export function phaseCells({ id, name, status, score }: SelectablePhase): string[] {
  return [`${id} ${name}`, status.replaceAll('_', ' '), score === null ? '-' : score.toFixed(1)]
}

/** Rows of four cells, one under the other. */
export function tableLines(cells: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  return cells.map((row) =>
    row
      .map((cell, column) => (column < 3 ? cell.padEnd(widths[column] ?? 0) : cell))
      .join('  ')
      .trimEnd(),
  )
}
