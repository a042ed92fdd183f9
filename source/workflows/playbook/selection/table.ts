import { durationText } from '../../../durations.js'
import type { SelectablePhase } from './select.js'

/** One phase with how long it took, in minutes. */
export interface StatusRow extends SelectablePhase {
  minutes: number | null
}

/** Phase, status, score and duration, line by line. */
export function statusTable(rows: readonly StatusRow[]): string[] {
  const cells = [
    ['Phase', 'Status', 'Score', 'Duration'],
    ...rows.map(({ id, name, status, score, minutes }) => [
      `${id} ${name}`,
      status.replaceAll('_', ' '),
      score === null ? '-' : score.toFixed(1),
      minutes === null ? '-' : durationText(minutes * 60_000),
    ]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  return cells.map((row) =>
    row
      .map((cell, column) => (column < 3 ? cell.padEnd(widths[column] ?? 0) : cell))
      .join('  ')
      .trimEnd(),
  )
}
