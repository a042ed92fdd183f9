import { printedRows } from '../terminal/width.js'

/** Text for a stream; in a terminal it is broken between words. */
export function forStream(text: string, { isTTY, columns }: { isTTY?: boolean; columns?: number }): string {
  if (!isTTY) return text
  return text
    .split('\n')
    .flatMap((line) => printedRows(line, columns || 80))
    .join('\n')
}
